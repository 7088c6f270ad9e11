"""Estimates of autoregressions against each other and against closed forms."""

import numpy as np
import pytest
from scipy.linalg import solve_toeplitz
from scipy.stats import multivariate_t

from margin.core import Sequences
from margin.sequence.autoregressive._estimates import (
    autocovariance,
    bayesian,
    burg,
    lagged,
    least_squares,
    yule_walker,
)


def series(T, seed=0, coef=(0.6, -0.3), level=1.0):
    rng = np.random.default_rng(seed)
    v = np.zeros(T + 50)
    for t in range(2, len(v)):
        v[t] = level + coef[0] * v[t - 1] + coef[1] * v[t - 2] + rng.normal()
    return v[50:]


def test_least_squares_written_out():
    """sequence.28: the normal equations, and the mean square of what is left."""
    given = Sequences([series(40), series(30, 1)])
    Z, y = lagged(given, 2)
    assert len(y) == 66
    w = np.linalg.solve(np.column_stack([Z, np.ones(66)]).T @ np.column_stack([Z, np.ones(66)]),
                        np.column_stack([Z, np.ones(66)]).T @ y)  # fmt: skip
    found = least_squares(given, 2)
    np.testing.assert_allclose([*found.coef, found.intercept], w)
    assert found.variance == pytest.approx(np.mean((y - Z @ w[:2] - w[2]) ** 2))


def test_yule_walker_is_the_toeplitz_system():
    """sequence.28: Levinson–Durbin solves the autocovariance form."""
    given = Sequences([series(60)])
    r = autocovariance(given, 4, float(given.buffer.mean()))
    np.testing.assert_allclose(yule_walker(given, 4).coef, solve_toeplitz(r[:4], r[1:]))


def test_all_converge_to_the_truth():
    given = Sequences([series(40_000)])
    for estimate in (least_squares, yule_walker, burg):
        found = estimate(given, 2)
        np.testing.assert_allclose(found.coef, [0.6, -0.3], atol=0.02)
        assert found.intercept == pytest.approx(1.0, abs=0.05)
        assert found.variance == pytest.approx(1.0, abs=0.03)


def test_burg_of_a_sine_is_exact():
    """Order two continues a sine; Yule–Walker, biased at the ends, does not."""
    v = np.sin(0.7 * np.arange(40))
    found = burg(Sequences([v]), 2, intercept=False)
    np.testing.assert_allclose(found.coef, [2 * np.cos(0.7), -1.0], atol=0.02)


def test_burg_stops_where_nothing_is_left():
    found = burg(Sequences([(-1.0) ** np.arange(8)]), 3, intercept=False)
    np.testing.assert_array_equal(found.coef, [-1.0, 0.0, 0.0])
    assert found.variance == 0.0


def test_posterior_and_evidence():
    """The evidence is a multivariate t density of the data."""
    given = Sequences([series(12)])
    belief = bayesian(given, 1, strength=2.0)
    Z, y = lagged(given, 1)
    Z = np.column_stack([Z, np.ones(len(Z))])
    beta = 0.005 * float(given.buffer.var())
    shape = (beta / 0.5) * (np.eye(len(y)) + Z @ np.diag([1 / 2.0, 1 / 2e-6]) @ Z.T)
    true = multivariate_t(np.zeros(len(y)), shape, df=1.0).logpdf(y)
    assert belief.log_evidence == pytest.approx(true, rel=1e-6)
    w, variance = belief.draws(4000, np.random.default_rng(0))
    np.testing.assert_allclose(w.mean(axis=0), belief.mean, atol=0.1)
    assert variance.min() > 0
