"""Bagging for regression (tree.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes

from margin.ensemble import BaggingRegressor
from margin.linear import Ridge
from margin.tree import DecisionTreeRegressor

X, Y = load_diabetes(return_X_y=True)


def test_error_is_at_most_that_of_a_member():
    """tree.06: the squared error of the mean is at most the mean of the squared errors."""
    model = BaggingRegressor(n_estimators=30, random_state=0).fit(X[:300], Y[:300])
    answers = np.array([member.predict(X[300:]) for member in model.estimators_])
    alone = ((answers - Y[300:]) ** 2).mean()
    together = ((model.predict(X[300:]) - Y[300:]) ** 2).mean()
    assert together < 0.8 * alone
    assert_allclose(alone - together, answers.var(axis=0).mean(), rtol=1e-9)
    tree = DecisionTreeRegressor(random_state=0).fit(X[:300], Y[:300])
    assert model.score(X[300:], Y[300:]) > tree.score(X[300:], Y[300:])


def test_members_as_a_distribution():
    model = BaggingRegressor(n_estimators=20, random_state=0).fit(X, Y)
    answers = np.array([member.predict(X[:5]) for member in model.estimators_])
    dist = model.member_dist(X[:5])
    assert_allclose(dist.mean, model.predict(X[:5]))
    assert_allclose(dist.var, answers.var(axis=0))


def test_out_of_bag_and_several_targets():
    both = np.column_stack([Y, -2 * Y])
    model = BaggingRegressor(Ridge(0.1), n_estimators=40, oob_score=True, random_state=0)
    model.fit(X, both)
    assert model.predict(X).shape == both.shape
    assert model.oob_prediction_.shape == both.shape
    assert_allclose(model.oob_prediction_[:, 1], -2 * model.oob_prediction_[:, 0])
    assert 0.3 < model.oob_score_ < model.score(X, both)


def test_rows_that_every_member_has_seen_are_told():
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        model = BaggingRegressor(n_estimators=1, oob_score=True, random_state=0).fit(X, Y)
    assert np.isnan(model.oob_prediction_).any()
    assert np.isfinite(model.oob_score_)
