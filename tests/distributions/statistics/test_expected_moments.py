import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Moments
from margin.distributions.statistics._expected_moments import expected_moments

MEAN = np.array([1.0, -1.0, 0.0])


def test_complete_rows_give_their_own_statistics(definite):
    X = np.random.default_rng(0).normal(size=(6, 3))
    w = np.arange(6.0)
    found, own = expected_moments(X, w, MEAN, definite(3, 0)), Moments.of(X, w)
    assert_allclose(found.mean, own.mean)
    assert_allclose(found.scatter, own.scatter)


def test_equals_the_average_over_simulated_completions(definite):
    """Brute force: draw the holes from their conditional distribution and average."""
    sigma, rng = definite(3, 4), np.random.default_rng(1)
    X = np.array([[2.0, np.nan, np.nan], [np.nan, 0.5, 1.0], [np.nan] * 3, [1.0, 2.0, 3.0]])
    w = np.array([1.0, 2.0, 0.5, 1.0])
    found = expected_moments(X, w, MEAN, sigma)
    first, second = np.zeros(3), np.zeros((3, 3))
    for row, weight in zip(X, w, strict=True):
        m, o = np.isnan(row), ~np.isnan(row)
        gain = sigma[np.ix_(m, o)] @ np.linalg.pinv(sigma[np.ix_(o, o)])
        centre = MEAN[m] + gain @ (row[o] - MEAN[o])
        spread = sigma[np.ix_(m, m)] - gain @ sigma[np.ix_(o, m)]
        draws = np.tile(row, (40_000, 1))
        if m.any():
            draws[:, m] = rng.multivariate_normal(centre, spread, size=40_000)
        first += weight * draws.mean(axis=0)
        second += weight * draws.T @ draws / len(draws)
    assert found.weight == pytest.approx(w.sum())
    assert_allclose(found.mean, first / w.sum(), atol=0.02)
    raw = found.scatter + found.weight * np.outer(found.mean, found.mean)
    assert_allclose(raw, second, atol=0.1)


def test_nothing_observed_gives_back_the_model(definite):
    sigma = definite(3, 2)
    found = expected_moments(np.full((4, 3), np.nan), None, MEAN, sigma)
    assert_allclose(found.mean, MEAN)
    assert_allclose(found.covariance(), sigma)


def test_input_is_left_alone_and_bad_input_refused():
    X = np.array([[1.0, np.nan, 2.0]])
    expected_moments(X, None, MEAN, np.eye(3))
    assert np.isnan(X[0, 1])
    with pytest.raises(ValueError, match=r"X must be of shape \(n, 3\)"):
        expected_moments(np.ones((2, 2)), None, MEAN, np.eye(3))
    with pytest.raises(ValueError, match="X must be finite or NaN"):
        expected_moments([[np.inf, 0.0, 0.0]], None, MEAN, np.eye(3))
