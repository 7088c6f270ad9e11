"""causal.11: likelihood ratios of pairs, and the search that leaves most of them out."""

import numpy as np
import pytest

from margin.native import _native
from margin.native.structure.pairwise import least_dependent


def entropy(u):
    first = np.mean(np.log(np.cosh(u))) - 0.37457
    return -79.047 * first**2 - 7.4129 * np.mean(u * np.exp(-(u**2) / 2)) ** 2


def ratios(Z):
    m, n = Z.shape
    answer = np.full((m, m), np.nan)
    for i in range(m):
        for j in range(m):
            if i != j:
                r = Z[i] @ Z[j] / n
                s = np.sqrt(1 - r**2)
                backward = entropy(Z[j]) + entropy((Z[i] - r * Z[j]) / s)
                answer[i, j] = backward - entropy(Z[i]) - entropy((Z[j] - r * Z[i]) / s)
    return answer


def standardised(m, n, seed):
    rng = np.random.default_rng(seed)
    X = rng.laplace(size=(m, n))
    for i in range(1, m):
        X[i] += X[:i].T @ rng.normal(size=i)
    X -= X.mean(axis=1, keepdims=True)
    return X / X.std(axis=1, keepdims=True)


@pytest.mark.parametrize(("m", "n"), [(2, 9), (4, 203), (7, 64), (3, 20_003)])
def test_the_numpy_twin(m, n):
    Z = standardised(m, n, m + n)
    C = np.ascontiguousarray(Z @ Z.T / n)
    guess, everyone = np.zeros((m, m)), np.ones(m, dtype=np.uint8)
    found, ratio, n_pairs = least_dependent(Z, C, guess, everyone, 1)
    truth = ratios(Z)
    known = ~np.isnan(ratio)
    np.testing.assert_allclose(ratio[known], truth[known], atol=1e-11)
    assert known.sum() == 2 * n_pairs <= m * (m - 1)
    penalty = np.nansum(np.minimum(truth, 0) ** 2, axis=1)
    assert found == np.argmin(penalty)


@pytest.mark.parametrize("seed", range(5))
def test_guesses_candidates_and_threads(seed):
    Z = standardised(9, 150, seed)
    C = np.ascontiguousarray(Z @ Z.T / 150)
    penalty = np.nansum(np.minimum(ratios(Z), 0) ** 2, axis=1)
    some = np.array([0, 1, 1, 0, 1, 1, 1, 0, 1], dtype=np.uint8)
    guess = np.random.default_rng(seed).random((9, 9))
    expected = np.flatnonzero(some)[np.argmin(penalty[some == 1])]
    before = _native.set_least_work(0.0)
    try:
        for threads in (1, 3):
            assert least_dependent(Z, C, guess, some, threads)[0] == expected
    finally:
        _native.set_least_work(before)


def test_copies_say_nothing():
    Z = standardised(4, 60, 0)
    Z = np.vstack([Z, Z[:2], -Z[:1]])
    C = np.clip(Z @ Z.T / 60, -1, 1)
    C[[0, 1, 0, 4], [4, 5, 6, 6]] = C[[4, 5, 6, 6], [0, 1, 0, 4]] = [1, 1, -1, -1]
    with np.errstate(all="ignore"):
        penalty = np.nansum(np.minimum(ratios(Z), 0) ** 2, axis=1)
    everyone = np.ones(7, dtype=np.uint8)
    chosen, ratio, n_pairs = least_dependent(Z, C, np.zeros((7, 7)), everyone, 1)
    assert penalty[chosen] == pytest.approx(penalty.min())
    assert n_pairs <= 21
    assert np.isnan(ratio[[0, 1, 0, 4], [4, 5, 6, 6]]).all()


def test_nobody_and_one():
    Z = standardised(2, 20, 0)
    C = np.ascontiguousarray(Z @ Z.T / 20)
    assert least_dependent(Z, C, np.zeros((2, 2)), np.zeros(2, dtype=np.uint8), 1)[0] == -1
    one = least_dependent(Z[:1], C[:1, :1].copy(), np.zeros((1, 1)), np.ones(1, dtype=np.uint8), 1)
    assert one[0] == 0
    assert one[2] == 0
    with pytest.raises(ValueError, match="different length"):
        least_dependent(Z, C, np.zeros((2, 2)), np.ones(3, dtype=np.uint8), 1)
