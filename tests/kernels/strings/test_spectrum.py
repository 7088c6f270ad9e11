"""The spectrum kernel (kernels.28)."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import CountVectorizer

from margin.kernels import Delta, Spectrum, normalise
from margin.testing import KernelContract


def draw(rng, n, letters="ACGT"):
    return ["".join(rng.choice(list(letters), size)) for size in rng.integers(0, 15, n)]


class TestSpectrum(KernelContract):
    def make(self):
        return [Spectrum(1), Spectrum(3), Spectrum(2, normalise=True), Spectrum(2) * Delta()]

    def draw(self, rng, n):
        return draw(rng, n)


@pytest.mark.parametrize(("k", "wanted"), [(2, [[6, 6], [6, 8]]), (3, [[5, 4], [4, 5]])])
def test_worked_example(k, wanted):
    """kernels.28: GATTACA and TACATTA."""
    assert_array_equal(Spectrum(k)(["GATTACA", "TACATTA"]), wanted)


@pytest.mark.parametrize("k", [1, 2, 4, 70])
def test_by_counting(k):
    rng = np.random.default_rng(0)
    X = [*draw(rng, 10), "ACGT" * 40, "CGTA" * 40]
    bags = [Counter(x[i : i + k] for i in range(len(x) - k + 1)) for x in X]
    wanted = [[sum(a[u] * b[u] for u in a) for b in bags] for a in bags]
    assert_array_equal(Spectrum(k)(X), wanted)


def test_agrees_with_a_vectoriser():
    rng = np.random.default_rng(1)
    X, Z = draw(rng, 30, "abcdefgh"), draw(rng, 20, "fghijk")
    vectoriser = CountVectorizer(analyzer="char", ngram_range=(2, 2), lowercase=False).fit(X + Z)
    assert_array_equal(
        Spectrum(2)(X, Z), (vectoriser.transform(X) @ vectoriser.transform(Z).T).toarray()
    )


def test_any_symbols_and_any_threads():
    rng = np.random.default_rng(2)
    words = draw(rng, 40)
    tokens = [[(letter, 1) for letter in word] for word in words]
    assert_array_equal(Spectrum(2)(words), Spectrum(2)(tokens))
    assert_array_equal(Spectrum(2)(words), Spectrum(2)(words, n_threads=3))


def test_empty_strings_are_like_nothing():
    K = Spectrum(2, normalise=True)(["", "a", "ab", "ab"])
    assert_array_equal(K, np.pad([[1.0, 1.0], [1.0, 1.0]], ((2, 0), (2, 0))))
    assert Spectrum(2)([]).shape == (0, 0)
    assert_allclose(K, normalise(Spectrum(2))(["", "a", "ab", "ab"]))


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "2", None])
def test_k_must_count(k):
    with pytest.raises(ValueError, match="Spectrum: k must be an integer of at least 1"):
        Spectrum(k)
