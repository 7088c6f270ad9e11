"""How the linear machines choose a solver and judge its answer."""

import numpy as np
from scipy.sparse import random as random_sparse

from margin.svm import LinearSVC
from margin.svm.linear._linear_fit import COLUMNS, LinearSettings, solve_against_rest


def test_solver_by_shape():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, size=40)
    assert LinearSVC().fit(X, y).fit_report_.solver == "SemismoothNewton"
    assert LinearSVC(dual=True, max_iter=10**5).fit(X, y).fit_report_.solver == "DualDescent"
    wide = random_sparse(40, COLUMNS + 1, density=0.01, format="csr", random_state=0)
    assert LinearSVC().fit(wide, y).fit_report_.solver == "DualDescent"


def test_all_classes_in_one_problem():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, size=40)
    model = LinearSVC(multi_class="crammer_singer", max_iter=10**5).fit(X, y)
    assert model.fit_report_.solver == "MulticlassDescent"
    assert model.coef_.shape == (3, 3)


def test_judged_by_the_tolerance_asked_for():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, size=40)
    report = LinearSVC(tol=1e-3, loss="hinge").fit(X, y).fit_report_
    assert report.certificate.tolerance == 1e-3
    assert report.certificate.value < 1e-9


def test_values_in_values_out():
    """No estimator below the class: the same functions from data and settings alone."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, size=40)
    settings = LinearSettings(C=2.0, squared=True)
    functions = solve_against_rest(
        settings, X, y, np.ones(40), 3, rng=np.random.default_rng(0), n_threads=2
    )
    model = LinearSVC(C=2.0).fit(X, y)
    assert np.array_equal(functions.coef, model.coef_)
    assert np.array_equal(functions.beta, model.dual_coef_)


def test_tiny_work_starts_no_threads(monkeypatch):
    def refuse(workers):
        raise AssertionError(f"{workers} threads")

    monkeypatch.setattr("margin.svm.linear._linear_fit.ThreadPoolExecutor", refuse)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(250, 100)), rng.integers(0, 3, size=250)
    assert LinearSVC(n_jobs=4).fit(X, y).coef_.shape == (3, 100)
