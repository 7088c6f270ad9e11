"""What bagged classifiers and regressors share."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin

from margin.ensemble import BaggingRegressor
from margin.ensemble.bagging._bagged import fit_member
from margin.ensemble.bagging._draws import Plan


class Remembering(RegressorMixin, BaseEstimator):
    """Takes no weights; remembers what it saw."""

    def fit(self, X, y, groups=None):
        self.seen_, self.targets_, self.groups_ = X, y, groups
        return self

    def predict(self, X):
        return np.zeros(len(X))


def test_rows_are_cut_for_members_without_weights():
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10.0)
    plan = Plan(10, 2, 10, 1)
    member, features = fit_member(Remembering(), X, y, plan, 7, {"groups": y})
    rows = plan.draw(7)[0]
    assert_array_equal(member.seen_, X[rows][:, features])
    assert_array_equal(member.targets_, y[rows])
    assert_array_equal(member.groups_, y[rows])


def test_a_failed_fit_leaves_the_old_model():
    X, y = np.arange(20.0)[:, None], np.arange(20.0)
    model = BaggingRegressor(n_estimators=3, random_state=0).fit(X, y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="max_features"):
        model.set_params(max_features=9).fit(X, y)
    assert_array_equal(model.predict(X), before)
