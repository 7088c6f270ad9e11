"""The gappy subsequence kernel (kernels.28)."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.kernels import Delta, Subsequence, normalise
from margin.testing import KernelContract


class TestSubsequence(KernelContract):
    def make(self):
        kernel = Subsequence(2, 0.4)
        return [Subsequence(1, 0.5), kernel, Subsequence(4, 0.9), normalise(kernel) + Delta()]

    def draw(self, rng, n):
        return ["".join(rng.choice(list("abc"), size)) for size in rng.integers(0, 9, n)]


def features(word, n, decay):
    counts = {}
    for i in combinations(range(len(word)), n):
        u = "".join(word[j] for j in i)
        counts[u] = counts.get(u, 0.0) + decay ** (i[-1] - i[0] + 1)
    return counts


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_by_all_subsequences(n):
    X = ["science", "conscience", "since", "", "ice"]
    rows = [features(x, n, 0.7) for x in X]
    wanted = [[sum(a[u] * b.get(u, 0.0) for u in a) for b in rows] for a in rows]
    assert_allclose(Subsequence(n, 0.7)(X), wanted, rtol=1e-12)


def test_worked_example_of_lodhi():
    """cat, car, bat, bar: normalised 1 / (2 + decay^2)."""
    K = normalise(Subsequence(2, 0.5))(["cat", "car"])
    assert_allclose(K[0, 1], 1 / (2 + 0.25), rtol=1e-14)


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    X = [rng.integers(0, 4, size).tolist() for size in (30, 1, 50, 20)]
    assert_array_equal(Subsequence(3)(X, n_threads=1), Subsequence(3)(X, n_threads=3))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0, 0.5), "Subsequence: length must be an integer of at least 1, got 0"),
        ((2, 0.0), "Subsequence: decay must be a number above 0, got 0.0"),
        ((2, (0.5, 0.5)), "Subsequence: decay must be a number above 0"),
    ],
)
def test_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        Subsequence(*parameters)
