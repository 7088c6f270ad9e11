"""Kernel Pegasos has the iterates of Pegasos, and ends near the machine without bias."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.core import random
from margin.svm import KernelPegasos, LinearSVC, Pegasos


def overlapping(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1, -1)


def test_same_iterates_as_the_primal():
    """svm.11: after every number of epochs the function of the counts is that of the weights."""
    X, y = overlapping()
    for epochs in (1, 2, 7):
        dual = KernelPegasos(tol=9.0, alpha=0.03, kernel="linear", max_iter=epochs).fit(X, y)
        primal = Pegasos(alpha=0.03, fit_intercept=False, average=False, offset=0)
        rng = random.generator(0)
        for order in [rng.permutation(len(y)) for _ in range(epochs)]:
            primal.partial_fit(X[order], y[order], classes=[-1, 1])
        assert np.allclose(dual.decision_function(X), primal.decision_function(X))
        counts = dual.counts_[0]
        assert counts.sum() <= 60 * epochs
        w = (counts * y) @ X / (0.03 * 60 * epochs)
        assert np.allclose(w, primal.coef_[0])


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
    with pytest.warns(ConvergenceWarning, match="relative duality gap of"):
        model = KernelPegasos(max_iter=1, tol=1e-6).fit(X, y)
    assert not model.fit_report_.certificate.holds
