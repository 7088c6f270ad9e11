import numpy as np
import pytest

from margin import losses, optim, penalties
from margin.core import stored_rows
from margin.linear import SGDClassifier, SGDRegressor
from margin.linear.online import _sgd_fit as sgd


def test_penalties_and_losses_of_the_parameters():
    assert penalties.L2(0.3) == sgd.penalty_of(SGDClassifier(alpha=0.3))
    assert penalties.L1(0.3) == sgd.penalty_of(SGDClassifier(alpha=0.3, penalty="l1"))
    mixed = SGDClassifier(alpha=0.3, penalty="elasticnet", l1_ratio=0.4)
    assert penalties.ElasticNet(0.3, 0.4) == sgd.penalty_of(mixed)
    for nothing in ({"alpha": 0.0}, {"penalty": None}):
        assert isinstance(sgd.penalty_of(SGDClassifier(**nothing)), penalties.Zero)
    assert losses.Huber(0.7) == sgd.loss_of(SGDRegressor(loss="huber", epsilon=0.7))
    assert isinstance(sgd.loss_of(SGDClassifier(loss="log_loss")), losses.Logistic)


def test_rates_of_the_parameters():
    """optim.03: the step lengths are those of the formulas."""
    t = np.arange(5.0)

    def rate(**rules):
        return sgd.solver_of(SGDClassifier(**rules), 4.0, seed=0, max_iter=1).schedule.rate(t)

    np.testing.assert_allclose(rate(alpha=0.1), 1 / (0.1 * (4.0 / 0.1 + t)))
    np.testing.assert_allclose(rate(learning_rate="constant", eta0=0.2), np.full(5, 0.2))
    scaled = rate(learning_rate="invscaling", eta0=0.2, power_t=0.5)
    np.testing.assert_allclose(scaled, 0.2 / np.sqrt(t + 1))
    average = sgd.solver_of(SGDClassifier(average=True), 1.0, seed=0, max_iter=1).average
    assert average == optim.PolyakAverage(0)


def test_objective_of_weighted_rows_is_the_mean():
    """optim.03: weights count as copies, those of classes on top, and the penalty once."""
    rng = np.random.default_rng(0)
    X, y, x = rng.normal(size=(6, 2)), rng.normal(size=6), rng.normal(size=3)
    weight = np.array([1.0, 0.0, 2.0, 1.0, 3.0, 1.0])
    factor = np.array([1.0, 1.0, 2.0, 2.0, 1.0, 2.0])
    rows = sgd.rows_for(SGDRegressor(alpha=0.3), X, y, stored_rows(y, weight), factor)
    errors = X @ x[:2] + x[2] - y
    wanted = weight * factor @ errors**2 / 2 / weight.sum() + 0.3 / 2 * x[:2] @ x[:2]
    solution = optim.run_epochs(
        rows, sgd.solver_of(SGDRegressor(), 1.0, seed=0, max_iter=1), x, tol=None, patience=1
    )
    assert solution.trace["objective"][0] == pytest.approx(wanted)
