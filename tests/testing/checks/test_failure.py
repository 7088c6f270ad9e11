import numpy as np
import pytest

from margin.linear import Ridge
from margin.testing.checks import _failure as checks

ALL = [
    checks.check_failed_fit_keeps_the_model,
    checks.check_bad_parameters_are_named,
    checks.check_weights_must_not_vanish,
    checks.check_predicting_before_fitting,
]


@pytest.mark.parametrize("check", ALL)
def test_a_good_estimator_passes(check):
    check("good", Ridge())


class HalfWritten(Ridge):
    def fit(self, X, y, sample_weight=None):
        self.started_ = object()
        return super().fit(X, y, sample_weight)


class MendsNaN(Ridge):
    def fit(self, X, y, sample_weight=None):
        return super().fit(np.nan_to_num(X), y, sample_weight)


class IgnoresSolver(Ridge):
    def fit(self, X, y, sample_weight=None):
        solver, self.solver = self.solver, "auto"
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.solver = solver


class SaysLittle(Ridge):
    def fit(self, X, y, sample_weight=None):
        if not isinstance(self.alpha, float):
            raise ValueError("bad alpha")
        return super().fit(X, y, sample_weight)


class AcceptsNothing(Ridge):
    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None and not np.any(sample_weight):
            sample_weight = None
        return super().fit(X, y, sample_weight)


class AlwaysReady(Ridge):
    def predict(self, X):
        return super().predict(X) if hasattr(self, "coef_") else np.zeros(len(X))


@pytest.mark.parametrize(
    ("check", "faulty", "message"),
    [
        (checks.check_failed_fit_keeps_the_model, HalfWritten, "started_ changed"),
        (checks.check_failed_fit_keeps_the_model, MendsNaN, "accepts NaN in X"),
        (checks.check_bad_parameters_are_named, IgnoresSolver, "accepts solver=<nonsense>"),
        (checks.check_bad_parameters_are_named, SaysLittle, "should start with"),
        (checks.check_weights_must_not_vanish, AcceptsNothing, "all weights zero"),
        (checks.check_predicting_before_fitting, AlwaysReady, "predict works before fit"),
    ],
)
def test_faults_are_found(check, faulty, message):
    with pytest.raises(AssertionError, match=message):
        check("faulty", faulty())
