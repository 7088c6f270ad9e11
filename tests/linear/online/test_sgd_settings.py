from dataclasses import replace

import numpy as np
import pytest

from margin import losses, optim, penalties
from margin.core import stored_rows
from margin.linear.online._sgd_settings import Settings

USUAL = Settings(
    loss="hinge",
    epsilon=0.1,
    penalty="l2",
    alpha=1e-4,
    l1_ratio=0.15,
    fit_intercept=True,
    learning_rate="optimal",
    eta0=0.01,
    power_t=0.5,
    average=False,
    shuffle=True,
    n_iter_no_change=5,
)


def test_penalties_and_losses_of_the_parameters():
    strong = replace(USUAL, alpha=0.3)
    assert strong.penalty_block() == penalties.L2(0.3)
    assert replace(strong, penalty="l1").penalty_block() == penalties.L1(0.3)
    mixed = replace(strong, penalty="elasticnet", l1_ratio=0.4)
    assert mixed.penalty_block() == penalties.ElasticNet(0.3, 0.4)
    for nothing in ({"alpha": 0.0}, {"penalty": None}):
        assert isinstance(replace(USUAL, **nothing).penalty_block(), penalties.Zero)
    assert replace(USUAL, loss="huber", epsilon=0.7).loss_block() == losses.Huber(0.7)
    assert isinstance(replace(USUAL, loss="log_loss").loss_block(), losses.Logistic)


def test_rates_of_the_parameters():
    """optim.03: the step lengths are those of the formulas."""
    t = np.arange(5.0)

    def rate(**rules):
        return replace(USUAL, **rules).solver(4.0, seed=0, max_iter=1).schedule.rate(t)

    np.testing.assert_allclose(rate(alpha=0.1), 1 / (0.1 * (4.0 / 0.1 + t)))
    np.testing.assert_allclose(rate(learning_rate="constant", eta0=0.2), np.full(5, 0.2))
    scaled = rate(learning_rate="invscaling", eta0=0.2, power_t=0.5)
    np.testing.assert_allclose(scaled, 0.2 / np.sqrt(t + 1))
    average = replace(USUAL, average=True).solver(1.0, seed=0, max_iter=1).average
    assert average == optim.PolyakAverage(0)


def test_objective_of_weighted_rows_is_the_mean():
    """optim.03: weights count as copies, those of classes on top, and the penalty once."""
    rng = np.random.default_rng(0)
    X, y, x = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=3)
    weight = np.array([1.0, 0.0, 2.0, 1.0, 3.0, 1.0])
    factor = np.array([1.0, 1.0, 2.0, 2.0, 1.0, 2.0])
    settings = replace(USUAL, loss="squared_error", alpha=0.3, learning_rate="constant")
    rows = settings.rows(X, y, stored_rows(y, weight), factor)
    errors = X @ x[:2] + x[2] - y
    wanted = weight * factor @ errors**2 / 2 / (weight @ factor) + 0.3 / 2 * x[:2] @ x[:2]
    solver = settings.solver(1.0, seed=0, max_iter=1)
    solution = optim.run_epochs(rows, solver, x, tol=None, patience=1)
    assert solution.trace["objective"][0] == pytest.approx(wanted)


def test_rows_to_visit():
    X, y = np.array([[1.0], [2.0], [1.0]]), np.array([0, 1, 0])
    assert len(USUAL.table(X, y, None).visits) == 2, "equal rows at once"
    stored = replace(USUAL, shuffle=False).table(X, y, None)
    assert stored.visits.tolist() == [0, 1, 2]
