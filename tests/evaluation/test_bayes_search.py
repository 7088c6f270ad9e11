"""Bayesian search with scikit-learn's interface."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.linear_model import LinearRegression

from margin.core import Status
from margin.evaluation import BayesSearchCV
from margin.gp import KernelRidge
from margin.linear import Ridge

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(60, 1))
Y = np.sin(3 * X[:, 0]) + 0.1 * RNG.normal(size=60)
SCORES = ["r2", "neg_mean_squared_error"]
SPACE = {"alpha": (1e-4, 10.0, "log"), "gamma": (1e-2, 100.0, "log")}


def test_tunes_better_than_the_default():
    model = KernelRidge(kernel="rbf")
    search = BayesSearchCV(model, SPACE, n_iter=16, cv=3, random_state=0).fit(X, Y)
    assert search.best_score_ > 0.9
    assert len(search.cv_results_["params"]) == 16
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.best_params_ == search.cv_results_["params"][search.best_index_]
    np.testing.assert_allclose(
        search.predict(X), clone(model).set_params(**search.best_params_).fit(X, Y).predict(X)
    )


def test_card_gives_the_space_and_rounds_have_points():
    search = BayesSearchCV(Ridge(), n_iter=7, n_points=3, cv=3, random_state=0).fit(X, Y)
    assert len(search.cv_results_["params"]) == 7
    assert set(search.best_params_) == {"alpha"}


@pytest.mark.filterwarnings("ignore:One or more of the test scores")
def test_failed_candidates_are_only_bad():
    space = {"alpha": [1.0, -1.0, 0.1]}
    search = BayesSearchCV(Ridge(), space, n_iter=8, n_initial=4, cv=3, random_state=0)
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search.fit(X, Y)
    assert search.best_params_["alpha"] > 0


def test_nothing_but_failures_is_an_error():
    with pytest.raises(ValueError, match="fits failed"):
        BayesSearchCV(Ridge(), {"alpha": [-1.0, -2.0]}, n_iter=3, cv=3).fit(X, Y)


def test_several_scores():
    search = BayesSearchCV(Ridge(), n_iter=3, cv=3, scoring=SCORES, refit="r2").fit(X, Y)
    assert search.best_score_ == search.cv_results_["mean_test_r2"].max()


def test_refusals():
    with pytest.raises(ValueError, match="search_spaces must be given"):
        BayesSearchCV(LinearRegression()).fit(X, Y)
    with pytest.raises(ValueError, match="n_iter must be"):
        BayesSearchCV(Ridge(), n_iter=0).fit(X, Y)
    with pytest.raises(ValueError, match="refit must be the name"):
        BayesSearchCV(Ridge(), scoring=["r2", "neg_mean_squared_error"], refit=False, n_iter=2).fit(
            X, Y
        )


class Impatient(Ridge):
    """A ridge whose owner presses Ctrl-C while it is fitted."""

    fits = 0
    patience = 10

    def fit(self, X, y):
        Impatient.fits += 1
        if Impatient.fits == self.patience:
            raise KeyboardInterrupt
        return super().fit(X, y)


def test_rounds_are_reported():
    search = BayesSearchCV(Ridge(), n_iter=9, n_initial=4, n_points=2, cv=3, random_state=0)
    report = search.fit(X, Y).fit_report_
    assert report.status is Status.CONVERGED
    assert report.n_iter == 9
    best = np.maximum.accumulate(search.cv_results_["mean_test_score"])
    np.testing.assert_allclose(report.trace["objective"], -best[[3, 5, 7, 8]])


def test_interruption_keeps_the_candidates_so_far():
    space = {"alpha": (1e-3, 1e3, "log")}
    Impatient.fits = 0
    search = BayesSearchCV(Impatient(), space, n_iter=9, n_initial=4, cv=2, random_state=0)
    with pytest.warns(ConvergenceWarning, match="interrupted after 4 candidates"):
        search.fit(X, Y)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert np.isfinite(search.predict(X)).all()


def test_interruption_of_the_first_round_leaves_nothing():
    Impatient.fits = Impatient.patience - 3
    with pytest.raises(KeyboardInterrupt):
        BayesSearchCV(Impatient(), {"alpha": (0.1, 1.0)}, n_iter=4, cv=2).fit(X, Y)
