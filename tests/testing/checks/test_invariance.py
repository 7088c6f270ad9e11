import numpy as np
import pytest

from margin.linear import LogisticRegression, Ridge
from margin.testing.checks import _invariance as checks


class Seeded(Ridge):
    def __init__(self, *, alpha=1.0, fit_intercept=True, solver="auto", n_jobs=None,
                 random_state=None):  # fmt: skip
        super().__init__(alpha=alpha, fit_intercept=fit_intercept, solver=solver, n_jobs=n_jobs)
        self.random_state = random_state

    def noise(self, p):
        return np.random.default_rng(self.random_state).normal(size=p)

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.coef_ = self.coef_ + self.noise(len(self.coef_))
        return self


EVERYWHERE = [
    checks.check_row_order,
    checks.check_weight_is_repetition,
    checks.check_unit_weights,
    checks.check_n_jobs,
    checks.check_predicting_is_row_by_row,
]
CLASSES = [checks.check_label_names, checks.check_probabilities]


@pytest.mark.parametrize("check", EVERYWHERE)
def test_a_good_estimator_passes(check):
    check("good", Ridge())


@pytest.mark.parametrize("check", CLASSES)
def test_a_good_classifier_passes(check):
    check("good", LogisticRegression())


def test_a_good_seed_passes():
    checks.check_seed("good", Seeded())


class DropsLastRow(Ridge):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X[:-1], y[:-1], None if sample_weight is None else sample_weight[:-1])


class IgnoresWeights(Ridge):
    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y)


class CountsWeights(Ridge):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if sample_weight is not None:
            self.coef_ = self.coef_ * (1 + 1 / len(X))
        return self


class ThreadsMatter(Ridge):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.coef_ = self.coef_ * (1 + 1e-15 * (self.n_jobs or 5))
        return self


class CentresTheBatch(Ridge):
    def predict(self, X):
        return super().predict(X) - np.mean(X)


class CountsCalls(Ridge):
    def predict(self, X):
        self.calls_ = getattr(self, "calls_", 0) + 1
        self.coef_ = self.coef_.copy()
        return super().predict(X)


class UsesUpItsSeed(Seeded):
    def noise(self, p):
        self.drawn_ = getattr(self, "drawn_", 0) + 1
        return np.random.default_rng([self.random_state, self.drawn_]).normal(size=p)


class HatesTheLastName(LogisticRegression):
    def predict_proba(self, X):
        found = super().predict_proba(X) * np.arange(len(self.classes_), 0, -1)
        return found / found.sum(axis=1, keepdims=True)


class NotNormalised(LogisticRegression):
    def predict_proba(self, X):
        return 0.9 * super().predict_proba(X)


class PredictsTheLeastProbable(LogisticRegression):
    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmin(axis=1)]


@pytest.mark.parametrize(
    ("check", "faulty"),
    [
        (checks.check_row_order, DropsLastRow),
        (checks.check_weight_is_repetition, IgnoresWeights),
        (checks.check_unit_weights, CountsWeights),
        (checks.check_n_jobs, ThreadsMatter),
        (checks.check_predicting_is_row_by_row, CentresTheBatch),
        (checks.check_predicting_is_row_by_row, CountsCalls),
        (checks.check_seed, UsesUpItsSeed),
        (checks.check_label_names, HatesTheLastName),
        (checks.check_probabilities, NotNormalised),
        (checks.check_probabilities, PredictsTheLeastProbable),
    ],
)
def test_faults_are_found(check, faulty):
    with pytest.raises(AssertionError):
        check("faulty", faulty())
