"""AdaBoost for regression (tree.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes

from margin.ensemble import AdaBoostRegressor
from margin.linear import Ridge
from margin.tree import DecisionTreeRegressor


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_better_than_one_learner_on_new_rows(loss):
    X, y = load_diabetes(return_X_y=True)
    tree = DecisionTreeRegressor(max_depth=3)
    model = AdaBoostRegressor(tree, n_estimators=60, loss=loss, random_state=0)
    assert model.fit(X[:300], y[:300]).score(X[300:], y[300:]) > tree.fit(X[:300], y[:300]).score(
        X[300:], y[300:]
    )
    *_, last = model.staged_predict(X[300:])
    assert_allclose(last, model.predict(X[300:]))
    *_, score = model.staged_score(X[300:], y[300:])
    assert score == pytest.approx(model.score(X[300:], y[300:]))


def test_prediction_is_the_weighted_median_by_brute_force():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = X[:, 0] ** 2 + rng.normal(size=80)
    model = AdaBoostRegressor(n_estimators=9, random_state=0).fit(X, y)
    answers = np.array([learner.predict(X) for learner in model.estimators_])
    for i, value in enumerate(model.predict(X)):
        order = np.argsort(answers[:, i])
        reached = np.cumsum(model.estimator_weights_[order]) >= 0.5 * model.estimator_weights_.sum()
        assert value == answers[order[reached.argmax()], i]
    assert (model.member_dist(X).var >= 0).all()


def test_large_residuals_come_first():
    """tree.17: a target far off the others."""
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(100, 1))
    y = X[:, 0].copy()
    y[17] += 20.0
    model = AdaBoostRegressor(Ridge(), n_estimators=5, random_state=0).fit(X, y)
    assert model.outlier_ranking()[0] == 17


def test_sparse_rows_and_weights():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3)) * (rng.random((60, 3)) < 0.5)
    y, weight = X @ [1.0, 2.0, 3.0], rng.uniform(size=60)
    dense = AdaBoostRegressor(n_estimators=5, random_state=0).fit(X, y, weight)
    sparse = AdaBoostRegressor(n_estimators=5, random_state=0).fit(csr_array(X), y, weight)
    assert_allclose(dense.predict(X), sparse.predict(csr_array(X)))
    with pytest.raises(ValueError, match="loss must be one of"):
        AdaBoostRegressor(loss="huber").fit(X, y)
