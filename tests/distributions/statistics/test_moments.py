from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.distributions import ColumnMoments, Moments


def data(seed, n, d, centre):
    rng = np.random.default_rng(seed)
    return centre + rng.normal(size=(n, d)), rng.integers(0, 4, size=n).astype(float)


def same(a, b, tol=1e-9):
    assert_allclose(a.weight, b.weight, rtol=1e-12)
    assert_allclose(a.mean, b.mean, rtol=1e-13, atol=1e-13)
    scale = max(1.0, float(np.max(np.abs(b.scatter), initial=0)))
    assert_allclose(a.scatter, b.scatter, atol=tol * scale)


@given(
    seed=st.integers(0, 10_000),
    sizes=st.lists(st.integers(0, 6), min_size=3, max_size=3),
    centre=st.sampled_from([0.0, 1.0, 1e6]),
)
@settings(deadline=None)
def test_statistics_form_a_commutative_monoid(seed, sizes, centre):
    """distributions.37: batches of rows, weights and empty batches, in any order."""
    batches = [data(seed + i, n, 3, centre) for i, n in enumerate(sizes)]
    a, b, c = (Moments.of(*batch) for batch in batches)
    whole = Moments.of(*(np.concatenate(parts) for parts in zip(*batches, strict=True)))
    tol = 1e-9 if centre < 1e6 else 1e-8
    same((a + b) + c, whole, tol)
    same(a + (b + c), whole, tol)
    same(c + a + b, whole, tol)
    same(sum([a, b, c]), whole, tol)
    same(a + Moments.zero(3), a)
    same(Moments.zero(3) + a, a)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 8))
@settings(deadline=None)
def test_weights_are_repetitions(seed, n):
    X, w = data(seed, n, 2, 5.0)
    same(Moments.of(X, w), Moments.of(np.repeat(X, w.astype(int), axis=0)))
    same(ColumnMoments.of(X, w), ColumnMoments.of(np.repeat(X, w.astype(int), axis=0)))


def test_against_numpy_with_every_divisor():
    """distributions.16: divisor n, n - 1, and a known mean."""
    X = np.random.default_rng(0).normal(size=(20, 3))
    stats = Moments.of(X)
    assert_allclose(stats.covariance(), np.cov(X.T, ddof=0))
    assert_allclose(stats.covariance(ddof=1), np.cov(X.T, ddof=1))
    centre = np.array([1.0, -1.0, 0.5])
    assert_allclose(stats.covariance(mean=centre), (X - centre).T @ (X - centre) / 20)
    w = np.random.default_rng(1).uniform(size=20)
    assert_allclose(Moments.of(X, w).covariance(), np.cov(X.T, aweights=w, ddof=0))


def test_divisor_n_is_too_small_on_average_by_the_known_factor():
    """E[S/n] = (n - 1)/n times the variance; n - 1 is unbiased; so is n with the true mean."""
    X = np.random.default_rng(0).normal(size=(5_000, 4, 1))
    fits = [Moments.of(x) for x in X]
    assert np.mean([f.covariance() for f in fits]) == pytest.approx(0.75, abs=0.03)
    assert np.mean([f.covariance(ddof=1) for f in fits]) == pytest.approx(1.0, abs=0.04)
    assert np.mean([f.covariance(mean=[0.0]) for f in fits]) == pytest.approx(1.0, abs=0.04)


@pytest.mark.parametrize("centre", [1e8, 1e12, -1e15])
def test_large_means_cost_no_digits_where_the_one_pass_formula_fails(centre):
    """distributions.16: against exact rational arithmetic."""
    x = centre + np.arange(10.0)
    exact = [Fraction(v) for v in x]
    mean = sum(exact) / 10
    scatter = float(sum((v - mean) ** 2 for v in exact))
    assert scatter == 82.5
    assert_allclose(Moments.of(x[:, None]).scatter, scatter, rtol=1e-12)
    assert_allclose(ColumnMoments.of(x).scatter, scatter, rtol=1e-12)
    halves = Moments.of(x[:5, None]) + Moments.of(x[5:, None])
    assert_allclose(halves.scatter, scatter, rtol=1e-12)
    one_pass = np.sum(x**2) - np.sum(x) ** 2 / 10
    assert abs(one_pass - scatter) > 0.1


def test_streaming_row_by_row_stays_accurate():
    """distributions.37: 5000 merges of one row at a mean of 1e9."""
    X = 1e9 + np.random.default_rng(0).normal(size=(5000, 2))
    stream = sum(Moments.of(row[None]) for row in X)
    assert_allclose(stream.covariance(), Moments.of(X).covariance(), rtol=1e-5, atol=1e-5)
    assert_allclose(stream.mean, X.mean(axis=0), rtol=1e-14)


def test_scatter_is_exactly_symmetric_and_never_indefinite():
    X, w = data(0, 50, 4, 1e7)
    scatter = (Moments.of(X, w) + Moments.of(X + 1)).scatter
    assert np.array_equal(scatter, scatter.T)
    assert np.linalg.eigvalsh(scatter)[0] > 0


def test_rows_without_weight_do_not_matter():
    X = np.array([[1.0], [1e300], [3.0]])
    same(Moments.of(X, [1.0, 0.0, 1.0]), Moments.of(X[[0, 2]]))
    assert Moments.of(X, np.zeros(3)).weight == 0.0
    assert ColumnMoments.of(X, np.zeros(3)).weight == 0.0


@given(seed=st.integers(0, 10_000), n=st.integers(0, 10), m=st.integers(0, 10))
@settings(deadline=None)
def test_columns_with_holes_are_taken_one_by_one(seed, n, m):
    """distributions.37: NaN leaves only its own column."""
    rng = np.random.default_rng(seed)
    X, w = data(seed, n + m, 3, 100.0)
    X[rng.uniform(size=X.shape) < 0.4] = np.nan
    whole = ColumnMoments.of(X, w)
    same(ColumnMoments.of(X[:n], w[:n]) + ColumnMoments.of(X[n:], w[n:]), whole)
    for j in range(3):
        seen = ~np.isnan(X[:, j]) & (w > 0)
        if seen.any():
            alone = Moments.of(X[seen, j][:, None], w[seen])
            assert whole.weight[j] == pytest.approx(alone.weight)
            assert whole.mean[j] == pytest.approx(alone.mean[0])
            assert whole.scatter[j] == pytest.approx(alone.scatter[0, 0], abs=1e-9)
        else:
            assert (whole.weight[j], whole.scatter[j]) == (0, 0)


@pytest.mark.parametrize(
    ("X", "weight", "message"),
    [
        ([1.0, 2.0], None, "Moments: X must be two-dimensional"),
        ([[np.nan]], None, "Moments: X must be finite everywhere, got 'NaN'"),
        ([[np.inf]], None, "Moments: X must be finite everywhere, got 'infinity'"),
        ([[1.0]], [1.0, 2.0], r"Moments: weight must be of shape \(1,\)"),
        ([[1.0]], [-1.0], "Moments: weight must be finite and at least 0 everywhere, got -1"),
        ([[1.0]], [np.nan], "Moments: weight must be finite and at least 0 everywhere, got nan"),
    ],
)
def test_bad_rows_are_refused(X, weight, message):
    with pytest.raises(ValueError, match=message):
        Moments.of(X, weight)


def test_bad_columns_and_mismatches_are_refused():
    with pytest.raises(ValueError, match="ColumnMoments: X must be finite or NaN"):
        ColumnMoments.of([np.inf])
    with pytest.raises(ValueError, match="ColumnMoments: X must be one- or two-dimensional"):
        ColumnMoments.of(np.ones((1, 1, 1)))
    with pytest.raises(ValueError, match="Moments: dimension must be 2, got 3"):
        Moments.zero(2) + Moments.zero(3)
    with pytest.raises(ValueError, match="ColumnMoments: shape must be"):
        ColumnMoments.of([1.0]) + ColumnMoments.of([[1.0, 2.0]])
    with pytest.raises(TypeError):
        Moments.zero(2) + 1
    with pytest.raises(ValueError, match=r"Moments: weight must be above ddof=1, got 1\.0"):
        Moments.of([[1.0]]).covariance(ddof=1)
