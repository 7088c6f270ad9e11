"""Pegasos by hand, against the optimum, and step by step."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from margin.svm import LinearSVC, Pegasos


def overlapping(n=100, p=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1, -1)


def test_steps_by_the_printed_rule():
    """svm.10: w <- (1 - 1/t) w + [y x.w < 1] y x / (lambda t)."""
    X, y = overlapping(30)
    w = np.zeros(3)
    for t, (x, sign) in enumerate(zip(X, y, strict=True), start=1):
        inside = sign * (x @ w) < 1
        w = (1 - 1 / t) * w + inside * sign * x / (0.1 * t)
    model = Pegasos(alpha=0.1, fit_intercept=False, average=False).partial_fit(
        X, y, classes=[-1, 1]
    )
    assert np.allclose(model.coef_[0], w)
    assert model.t_ == 30


@pytest.mark.parametrize("options", [{"average": False}, {"projection": True}, {}])
def test_reaches_the_minimum(options):
    """svm.06: lambda = 1 / (C m) is the objective of LinearSVC divided by C m."""
    X, y = overlapping()
    lam = 0.05
    best = LinearSVC(C=1 / (lam * len(y)), loss="hinge").fit(X, y).fit_report_.objective * lam
    model = Pegasos(alpha=lam, tol=0.02, max_iter=400, **options).fit(X, y)
    report = model.fit_report_
    assert best * (1 - 1e-9) <= report.objective <= 1.02 * best
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)


def test_sparse_and_dense_take_the_same_steps():
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="relative duality gap"):
        dense = Pegasos(alpha=0.01, tol=1e-9, max_iter=3).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="relative duality gap"):
        sparse = Pegasos(alpha=0.01, tol=1e-9, max_iter=3).fit(csr_matrix(X), y)
    assert np.allclose(dense.coef_, sparse.coef_)


def test_projection_stays_in_the_ball():
    X, y = overlapping()
    model = Pegasos(alpha=0.01, projection=True, fit_intercept=False, average=False, tol=9).fit(
        10 * X, y
    )
    assert np.linalg.norm(model.coef_) <= 10 * (1 + 1e-12)


def test_unknown_class_is_refused():
    model = Pegasos().partial_fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="Pegasos: y must be of the classes"):
        model.partial_fit([[0.0]], [2])


def test_refuses_alpha():
    with pytest.raises(ValueError, match="Pegasos: alpha must be a number above 0"):
        Pegasos(alpha=0.0).fit([[0.0], [1.0]], [0, 1])


def test_too_few_epochs_warn():
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="scale the features"):
        model = Pegasos(max_iter=2).fit(1e3 * X, y)
    assert not model.fit_report_.certificate.holds
