import numpy as np
import pytest

from margin.linear import GaussianNB, LinearRegression, LogisticRegression, Ridge
from margin.svm import SVC
from margin.testing.checks import _degenerate as checks

ALL = [
    checks.check_constant_column,
    checks.check_duplicate_rows,
    checks.check_one_sample,
    checks.check_fewer_rows_than_columns,
    checks.check_scales,
]


@pytest.mark.parametrize("check", ALL)
def test_a_good_estimator_passes(check):
    check("good", LinearRegression())


def test_the_others_pass_too():
    checks.check_target_scales("good", Ridge())
    checks.check_rare_class("good", LogisticRegression())
    checks.check_missing_values("good", GaussianNB())


class FillsWithNaN(GaussianNB):
    def predict_proba(self, X):
        return np.where(np.isnan(X).any(axis=1, keepdims=True), np.nan, super().predict_proba(X))


def test_silent_nan_is_found():
    with pytest.raises(AssertionError, match="not finite"):
        checks.check_missing_values("faulty", FillsWithNaN())


class Standardises(Ridge):
    """Divides by a spread that may be zero."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        spread = np.std(X, axis=0)
        self.bad_ = np.nan if (spread < 1e-12).any() else 0.0
        return self

    def predict(self, X):
        return super().predict(X) + self.bad_


class CountsRows(Ridge):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(X) > 60:
            self.coef_, self.intercept_ = 0 * self.coef_, float(np.mean(y))
        return self


class Mumbles(Ridge):
    def fit(self, X, y, sample_weight=None):
        if len(X) == 1:
            raise ValueError("no")
        return super().fit(X, y, sample_weight)


class NeedsManyRows(Ridge):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if len(X) < X.shape[1]:
            self.coef_, self.intercept_ = 0 * self.coef_, float(np.mean(y))
        return self


class Overflows(Ridge):
    def predict(self, X):
        return super().predict(X) + np.where(np.abs(X).max() > 1e6, np.nan, 0.0)


class SilentlyWrong(Ridge):
    def predict(self, X):
        return super().predict(X) + np.where(np.abs(X).max() > 1e6, 100.0, 0.0)


class RoundsTargets(Ridge):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X, np.round(y, 3), sample_weight)


class ForgetsRareClasses(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        labels, counts = np.unique(y, return_counts=True)
        keep = np.isin(y, labels[counts > 1])
        return super().fit(X[keep], y[keep])


class RefusesRareClasses(LogisticRegression):
    """A clear refusal is as good as an answer."""

    text = "RefusesRareClasses: every class must hold two samples, got 1 for 'zzz'"

    def fit(self, X, y, sample_weight=None):
        raise ValueError(self.text)


class RefusesWithoutReason(RefusesRareClasses):
    text = "singular matrix"


def test_a_clear_refusal_of_a_rare_class_is_accepted():
    checks.check_rare_class("good", RefusesRareClasses())


@pytest.mark.parametrize(
    ("check", "faulty", "message"),
    [
        (checks.check_constant_column, Standardises, "not finite"),
        (checks.check_duplicate_rows, CountsRows, "changes by .* with every row twice"),
        (checks.check_duplicate_rows, Standardises, "not finite"),
        (checks.check_one_sample, Mumbles, "does not say why"),
        (checks.check_fewer_rows_than_columns, NeedsManyRows, "learns nothing"),
        (checks.check_scales, Overflows, "not finite"),
        (checks.check_scales, SilentlyWrong, "worse than a constant, and silent"),
        (checks.check_target_scales, RoundsTargets, "tiny targets"),
        (checks.check_rare_class, ForgetsRareClasses, "forgets a rare class"),
        (checks.check_rare_class, RefusesWithoutReason, "should start with"),
    ],
)
def test_faults_are_found(check, faulty, message):
    with pytest.raises(AssertionError, match=message):
        check("faulty", faulty())


class WidthOfItsOwn(LogisticRegression):
    """Ignores its columns when they are many, whatever the width."""

    def __init__(self, *, gamma="scale"):
        super().__init__()
        self.gamma = gamma

    def fit(self, X, y):
        return super().fit(X if X.shape[1] < 5 else 0 * X, y)


def test_a_fixed_width_does_not_hide_a_loss():
    X = np.arange(8.0).reshape(4, 2)
    assert checks._with_fixed_width(SVC(), X).gamma == 1 / (2 * X.var())
    same = SVC(gamma="auto")
    assert checks._with_fixed_width(same, X) is same
    with pytest.raises(AssertionError, match="by a constant column"):
        checks.check_constant_column("bad", WidthOfItsOwn())
