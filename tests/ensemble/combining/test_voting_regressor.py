"""Voting: regressor."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble

from margin.core import FitReport
from margin.ensemble import VotingRegressor
from margin.linear import LinearRegression, Ridge

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = X @ [1.0, -2.0, 0.5] + RNG.normal(size=80)
MEMBERS = [("ols", LinearRegression()), ("ridge", Ridge(100.0))]


def test_answers_are_those_of_scikit_learn():
    ours = VotingRegressor(MEMBERS, weights=[1, 3]).fit(X, Y)
    theirs = ensemble.VotingRegressor(MEMBERS, weights=[1, 3]).fit(X, Y)
    assert_allclose(ours.predict(X), theirs.predict(X))
    assert isinstance(ours.fit_report_, FitReport)


@pytest.mark.parametrize("weights", [None, [1.0, 3.0]])
def test_members_as_a_distribution(weights):
    model = VotingRegressor(MEMBERS, weights=weights).fit(X, Y)
    dist = model.member_dist(X)
    assert_allclose(dist.mean, model.predict(X))
    answers = np.array([m.predict(X) for m in model.estimators_])
    assert_allclose(dist.quantile(1.0), answers.max(axis=0))
