"""The mismatch kernel (kernels.28)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.core import memory
from margin.kernels import Mismatch, Spectrum
from margin.testing import KernelContract


def draw(rng, n):
    return ["".join(rng.choice(list("ACGT"), size)) for size in rng.integers(0, 12, n)]


class TestMismatch(KernelContract):
    def make(self):
        return [Mismatch(2, 1), Mismatch(3, 2, alphabet=6), Mismatch(3, 0)]

    def draw(self, rng, n):
        return draw(rng, n)


@pytest.mark.parametrize(("k", "m"), [(1, 0), (2, 1), (3, 1), (3, 2)])
def test_by_all_words_of_the_alphabet(k, m):
    X = draw(np.random.default_rng(0), 8)
    rows = []
    for x in X:
        windows = [x[i : i + k] for i in range(len(x) - k + 1)]
        rows.append(
            [
                sum(sum(a != b for a, b in zip(u, w, strict=True)) <= m for w in windows)
                for u in product("ACGT", repeat=k)
            ]
        )
    features = np.array(rows)
    assert_array_equal(Mismatch(k, m)(X), features @ features.T)


def test_without_mismatches_it_is_the_spectrum():
    X = draw(np.random.default_rng(1), 20)
    assert_array_equal(Mismatch(3, 0)(X), Spectrum(3)(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((2, 2), "Mismatch: m must be an integer from 0 to k - 1, got 2"),
        ((2, -1), "Mismatch: m must be an integer from 0 to k - 1, got -1"),
        ((2, 1.0), "Mismatch: m must be an integer from 0 to k - 1, got 1.0"),
        ((0, 0), "Mismatch: k must be an integer of at least 1, got 0"),
        ((3, 1, 0), "Mismatch: alphabet must be an integer of at least 1, got 0"),
        ((40, 1, 20), "Mismatch: k must be at most 14 with 20 symbols, got 40"),
    ],
)
def test_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        Mismatch(*parameters)


def test_the_alphabet_must_hold_the_symbols():
    with pytest.raises(ValueError, match="Mismatch: alphabet must be at least 5, the number of"):
        Mismatch(2, 1)(["ACGT", "N"])


def test_memory_is_estimated_first(monkeypatch):
    monkeypatch.setattr(memory, "total", lambda: 1000)
    with pytest.raises(MemoryError, match="take a smaller k or m"):
        Mismatch(5, 3)(["ACGTACGTTT"])
