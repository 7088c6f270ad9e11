from fractions import Fraction

import pytest

from margin.linear import Ridge
from margin.testing.checks import _persistence as checks

ALL = [checks.check_pickle, checks.check_skops, checks.check_refit_forgets]


@pytest.mark.parametrize("check", ALL)
def test_a_good_estimator_passes(check):
    check("good", Ridge())


class LosesIntercept(Ridge):
    def __setstate__(self, state):
        super().__setstate__({**state, "intercept_": 0.0})


class KeepsStranger(Ridge):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.ratio_ = Fraction(1, 3)
        return self


class Remembers(Ridge):
    def fit(self, X, y, sample_weight=None):
        if hasattr(self, "coef_"):
            self.before_ = self.coef_
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    ("check", "estimator", "message"),
    [
        (checks.check_pickle, LosesIntercept(), "after pickle"),
        (checks.check_skops, LosesIntercept(), "after skops"),
        (checks.check_skops, KeepsStranger(), r"asks to trust \['fractions.Fraction'\]"),
        (checks.check_refit_forgets, Remembers(), r"remembers \['before_'\]"),
    ],
)
def test_faults_are_found(check, estimator, message):
    with pytest.raises(AssertionError, match=message):
        check("faulty", estimator)
