"""Stacking: regressor (tree.19)."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn import ensemble
from sklearn.linear_model import Ridge as Theirs
from sklearn.model_selection import cross_val_predict

from margin.ensemble import StackingRegressor
from margin.linear import LinearRegression, Ridge

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = X @ [1.0, -2.0, 0.5] + RNG.normal(size=80)
MEMBERS = [("ols", LinearRegression()), ("ridge", Ridge(100.0))]


def test_the_final_regressor_learns_from_rows_unseen_by_the_members():
    """tree.19: out-of-fold predictions, by hand."""
    model = StackingRegressor(MEMBERS, LinearRegression(), cv=4).fit(X, Y)
    for j, (_, member) in enumerate(MEMBERS):
        assert_allclose(model.out_of_fold_[:, j], cross_val_predict(member, X, Y, cv=4))
    theirs = ensemble.StackingRegressor(MEMBERS, LinearRegression(), cv=4).fit(X, Y)
    assert_allclose(model.predict(X), theirs.predict(X))


def test_distribution_of_the_final_regressor():
    model = StackingRegressor(MEMBERS, LinearRegression()).fit(X, Y)
    dist = model.predict_dist(X)
    assert_allclose(dist.mean, model.predict(X))
    assert (dist.var > 0).all()
    assert not hasattr(StackingRegressor(MEMBERS, Theirs()).fit(X, Y), "predict_dist")
