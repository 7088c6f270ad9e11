"""Iteratively reweighted least squares (linear.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.linear.regression._reweighting import ReweightedRows
from margin.linear.regression._robust_loss import RobustLoss


def rows(weight=None, alpha=0.0, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = X @ [1.0, -2.0] + 3.0 + 0.2 * rng.normal(size=n)
    y[:5] += 40.0
    return ReweightedRows(X, y, np.ones(n) if weight is None else weight, alpha, True, 1)


def nothing(iteration, objective):
    pass


@pytest.mark.parametrize("kind", ["huber", "tukey"])
def test_trace_never_rises_and_ends_at_a_stationary_point(kind):
    """linear.12: the smallest step counts, and the weighted residuals see no column."""
    data, loss = rows(alpha=0.3), RobustLoss(kind, 2.0)
    fit = data.fit(loss, 1e-10, 500, nothing)
    assert fit.solution.status is Status.CONVERGED
    assert np.diff(fit.solution.trace["objective"]).max() <= 1e-9
    assert len(fit.solution.trace["objective"]) == fit.solution.n_iter + 1
    u = data.y - data.X @ fit.coef - fit.intercept
    assert_allclose(fit.row_weight, loss.weight(u / fit.scale), atol=1e-9)
    assert_allclose(data.X.T @ (fit.row_weight * u), 0.3 * fit.coef, atol=1e-6)
    assert abs(fit.row_weight @ u) < 1e-6


def test_cut_short_says_so():
    """linear.12: in the words of the driver."""
    fit = rows().fit(RobustLoss("huber", 1.345), 1e-12, 2, nothing)
    assert fit.solution.status is Status.MAX_ITER
    assert "stopped after max_iter=2 reweightings with last change" in fit.solution.message


def test_interruption_keeps_the_last_fit():
    def stop(iteration, objective):
        if iteration == 3:
            raise KeyboardInterrupt

    fit = rows().fit(RobustLoss("huber", 1.345), 1e-12, 100, stop)
    assert fit.solution.interrupted
    assert fit.solution.n_iter == 3
    assert_allclose(fit.coef, [1.0, -2.0], atol=0.5)


def test_median_and_spread_count_weights_as_rows():
    weight = np.array([1.0, 2.0, 1.0, 0.0, 3.0])
    values = np.array([5.0, -1.0, 2.0, 100.0, 0.0])
    data = ReweightedRows(np.zeros((5, 1)), values, weight, 0.0, True, 1)
    repeated = np.repeat(values, weight.astype(int))
    assert data.median(values) == np.median(repeated)
    deviation = np.abs(repeated - np.median(repeated))
    assert_allclose(data.spread(values - np.median(repeated)), 1.4826022185 * np.median(deviation))
