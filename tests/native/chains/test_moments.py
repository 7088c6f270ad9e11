import numpy as np
import pytest

from margin.native import _native
from margin.native.chains.moments import symbol_counts, weighted_moments

RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("n", "d", "k"), [(1, 1, 1), (7, 2, 3), (2500, 4, 8), (1030, 6, 13), (0, 2, 2)]
)
def test_against_einsum(n, d, k):
    X, shares = RNG.normal(size=(n, d)) + 1e4, RNG.random((n, k))
    centre = RNG.normal(size=(k, d)) + 1e4
    away = X[:, None] - centre
    weight, first, second = weighted_moments(X, shares, centre, 1)
    np.testing.assert_allclose(weight, shares.sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(first, np.einsum("tk,tka->ka", shares, away), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(
        second, np.einsum("tk,tka,tkb->kab", shares, away, away), rtol=1e-8, atol=1e-9
    )
    _, _, squares = weighted_moments(X, shares, centre, 1, diagonal=True)
    np.testing.assert_allclose(squares, np.diagonal(second, axis1=1, axis2=2), rtol=1e-12)


def test_threads_change_nothing():
    before = _native.set_least_work(0.0)
    try:
        X, shares, centre = (
            RNG.normal(size=(5000, 3)),
            RNG.random((5000, 9)),
            RNG.normal(size=(9, 3)),
        )
        one, two = (weighted_moments(X, shares, centre, n) for n in (1, 3))
        for a, b in zip(one, two, strict=True):
            np.testing.assert_array_equal(a, b)
    finally:
        _native.set_least_work(before)


def test_wrong_shapes():
    with pytest.raises(ValueError, match="different shape"):
        weighted_moments(np.zeros((3, 2)), np.zeros((4, 2)), np.zeros((2, 2)), 1)


def test_symbols_against_bincount():
    codes, shares = RNG.integers(0, 5, 9000).astype(float), RNG.random((9000, 3))
    codes[::7] = np.nan
    seen = ~np.isnan(codes)
    truth = [np.bincount(codes[seen].astype(int), s, minlength=6) for s in shares[seen].T]
    np.testing.assert_allclose(symbol_counts(codes, shares, 6, 2), truth)
    with pytest.raises(ValueError, match="symbol out of range"):
        symbol_counts(np.array([6.0]), np.ones((1, 1)), 6, 1)
