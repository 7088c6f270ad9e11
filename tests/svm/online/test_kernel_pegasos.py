"""Kernel Pegasos has the iterates of Pegasos, and ends near the machine without bias."""

from itertools import islice

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.core import distinct_rows, random
from margin.svm import KernelPegasos, LinearSVC, Pegasos
from margin.svm.online._row_visits import visit_orders


def overlapping(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("weighted", [False, True], ids=["even", "weighted"])
@pytest.mark.parametrize("epochs", [1, 2, 7])
def test_same_iterates_as_the_primal(epochs, weighted):
    """svm.11: after every number of epochs the function of the counts is that of the weights."""
    X, y = overlapping()
    weight = np.random.default_rng(1).uniform(0, 2, size=60) if weighted else None
    dual = KernelPegasos(tol=9.0, alpha=0.03, kernel="linear", max_iter=epochs)
    dual.fit(X, y, sample_weight=weight)
    primal = Pegasos(alpha=0.03, fit_intercept=False, average=False, offset=0)
    seed = int(random.generator(0).integers(2**62))
    for order in islice(visit_orders(distinct_rows(X, y, weight, 1), seed), epochs):
        primal.partial_fit(X[order], y[order], classes=[-1, 1])
    assert np.allclose(dual.decision_function(X), primal.decision_function(X))
    counts = dual.counts_[0]
    assert counts.sum() <= primal.t_
    assert np.allclose((counts * y) @ X / (0.03 * primal.t_), primal.coef_[0])


def test_gap_bounds_the_error():
    X, y = overlapping()
    lam = 0.05
    model = KernelPegasos(alpha=lam, kernel="linear").fit(X, y)
    C = 1 / (lam * len(y))
    best = lam * LinearSVC(C=C, loss="hinge", fit_intercept=False).fit(X, y).fit_report_.objective
    report = model.fit_report_
    assert best <= report.objective * (1 + 1e-9)
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)
    assert report.certificate.value < 0.1


def test_a_wide_gap_warns():
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match=r"with relative duality gap .* above tol=1e-06"):
        model = KernelPegasos(max_iter=1, tol=1e-6).fit(X, y)
    assert not model.fit_report_.certificate.holds


@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_are_copies(n_classes):
    """svm.11: visits in proportion to the weights; zero leaves a row out."""
    X, _ = overlapping()
    y = np.digitize(X[:, 0], [0.0, 0.8][: n_classes - 1])
    weight = np.random.default_rng(1).integers(0, 4, size=60)
    one = KernelPegasos(max_iter=30, tol=1.0).fit(X, y, sample_weight=weight)
    two = KernelPegasos(max_iter=30, tol=1.0).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert np.allclose(one.decision_function(X), two.decision_function(X))
    assert np.isclose(one.fit_report_.objective, two.fit_report_.objective)
    assert np.isclose(one.fit_report_.certificate.value, two.fit_report_.certificate.value)


def test_weighted_gap_bounds_the_error():
    X, y = overlapping()
    weight = np.random.default_rng(2).uniform(0.1, 3, size=60)
    model = KernelPegasos(alpha=0.05, kernel="linear").fit(X, y, sample_weight=weight)
    machine = LinearSVC(C=1 / (0.05 * weight.sum()), loss="hinge", fit_intercept=False)
    best = 0.05 * machine.fit(X, y, sample_weight=weight).fit_report_.objective
    report = model.fit_report_
    assert best <= report.objective * (1 + 1e-9)
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)
    assert report.certificate.value < 0.1
