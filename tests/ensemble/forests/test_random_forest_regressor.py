"""Random forests for numbers (tree.08) and their quantiles."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestRegressor as TheirForest

from margin.ensemble import RandomForestRegressor


@pytest.fixture
def data():
    return make_friedman1(900, noise=1.0, random_state=0)


def test_as_good_as_scikit_learn(data):
    """tree.08: on rows that neither has seen."""
    X, y = data
    ours = RandomForestRegressor(40, random_state=0).fit(X[:600], y[:600])
    theirs = TheirForest(40, random_state=0).fit(X[:600], y[:600])
    assert ours.score(X[600:], y[600:]) > theirs.score(X[600:], y[600:]) - 0.03


def test_law_of_a_target(data):
    X, y = data
    model = RandomForestRegressor(60, min_samples_leaf=5, keep_leaves=True, random_state=0)
    model.fit(X[:600], y[:600])
    law = model.predict_dist(X[600:])
    np.testing.assert_allclose(law.mean, model.predict(X[600:]))
    low, high = law.quantile(0.05), law.quantile(0.95)
    assert 0.8 < ((low <= y[600:]) & (y[600:] <= high)).mean() <= 1.0
    assert (law.cdf(law.quantile(0.5)) >= 0.5 - 1e-9).all()


def test_law_needs_the_leaves(data):
    X, y = data
    model = RandomForestRegressor(3).fit(X, y)
    with pytest.raises(AttributeError, match="has no attribute 'predict_dist'"):
        model.predict_dist(X)
    with pytest.raises(ValueError, match="keep_leaves must be False with several outputs"):
        RandomForestRegressor(3, keep_leaves=True).fit(X, np.stack([y, y], axis=1))


def test_out_of_bag_and_several_targets(data):
    X, y = data
    model = RandomForestRegressor(60, oob_score=True, random_state=0).fit(X, np.stack([y, -y], 1))
    assert model.oob_prediction_.shape == (900, 2)
    assert 0.6 < model.oob_score_ < 0.95
    own = RandomForestRegressor(
        60, oob_score=lambda truth, values: -np.abs(truth - values).mean(), random_state=0
    ).fit(X, y)
    assert own.oob_score_ < 0


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
def test_other_losses(criterion, data):
    X, y = data
    y = np.abs(y)
    model = RandomForestRegressor(10, criterion=criterion, max_depth=6, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.5


def test_directions_and_pruning(data):
    X, y = data
    model = RandomForestRegressor(10, monotonic_cst=[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], random_state=0)
    model.fit(X, y)
    line = np.tile(X[:1], (50, 1))
    line[:, 3] = np.linspace(0, 1, 50)
    assert (np.diff(model.predict(line)) >= -1e-12).all()
    whole = RandomForestRegressor(5, random_state=0).fit(X, y)
    small = RandomForestRegressor(5, ccp_alpha=0.05, random_state=0).fit(X, y)
    assert small.forest_.n_nodes < whole.forest_.n_nodes
