import numpy as np
import pytest

from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission
from margin.sequence.markov_regression._regression_emission import RegressionEmission, windows


def emission(rows, d=1, **options):
    return RegressionEmission(NormalEmission("full", 0.0), d, **options).checked("M", rows)


def test_windows_never_reach_into_another_sequence():
    rows = np.arange(10.0).reshape(5, 2)
    table = windows(rows, np.array([0, 3, 3, 5]), 2)
    np.testing.assert_array_equal(table[2], [4, 5, 2, 3, 0, 1])
    assert np.isnan(table[[0, 1, 3, 4]]).any(axis=1).all()
    np.testing.assert_array_equal(table[4], [8, 9, 6, 7, np.nan, np.nan])
    assert windows(rows[:1], np.array([0, 1]), 3).shape == (1, 8)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_least_squares_of_weighted_windows(fit_intercept):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 6)) + 100.0
    rows[3, 4] = np.nan
    shares = rng.dirichlet(np.ones(2), 50)
    e = emission(rows, 2, fit_intercept=fit_intercept)
    laws = e.fit(e.statistics(None, rows, shares, 1))
    whole = np.delete(np.arange(50), 3)
    for k in range(2):
        w = shares[whole, k]
        Z, Y = rows[whole, 2:], rows[whole, :2]
        Z = np.column_stack([Z, np.ones(49)]) if fit_intercept else Z
        W = np.linalg.lstsq(Z * np.sqrt(w)[:, None], Y * np.sqrt(w)[:, None], rcond=None)[0]
        np.testing.assert_allclose(laws.weights[k], W[:4].T, atol=1e-6)
        rest = Y - Z @ W
        noise = (rest * w[:, None]).T @ rest / w.sum()
        np.testing.assert_allclose(laws.noise.covariance[k], noise, atol=1e-6)
        mean = Y - rest
        from_table = e.log_prob(laws, rows, 1)[whole, k]
        gap = Y - mean
        square = np.einsum("ti,ij,tj->t", gap, np.linalg.inv(noise), gap)
        want = -0.5 * (square + np.linalg.slogdet(2 * np.pi * noise)[1])
        np.testing.assert_allclose(from_table, want, atol=1e-5)
    assert (e.log_prob(laws, rows, 1)[3] == 0.0).all()


def test_no_whole_window_at_all():
    rows = np.array([[1.0, np.nan], [2.0, np.nan]])
    e = RegressionEmission(NormalEmission("full", 1e-3), 1).checked("M", rows)
    laws = e.fit(e.statistics(None, rows, np.full((2, 2), 0.5), 1))
    assert np.isfinite(laws.weights).all()
    assert np.isfinite(laws.noise.covariance).all()
