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
    model = Pegasos(alpha=0.1, fit_intercept=False, average=False, offset=0)
    model.partial_fit(X, y, classes=[-1, 1])
    assert np.allclose(model.coef_[0], w)
    assert model.t_ == 30


def test_steps_with_an_offset():
    """The same rule with t counted from max |x|^2 / lambda + 1: no step is longer than 1 / R^2."""
    X, y = overlapping(30)
    w, offset = np.zeros(3), np.ceil(np.square(X).sum(axis=1).max() / 0.1)
    for t, (x, sign) in enumerate(zip(X, y, strict=True), start=1):
        inside = sign * (x @ w) < 1
        w = (1 - 1 / (offset + t)) * w + inside * sign * x / (0.1 * (offset + t))
    model = Pegasos(alpha=0.1, fit_intercept=False, average=False).partial_fit(X, y)
    assert np.allclose(model.coef_[0], w)


@pytest.mark.parametrize(
    "options", [{"average": False}, {"projection": True}, {"offset": 0}, {"offset": 50.0}, {}]
)
def test_reaches_the_minimum(options):
    """svm.06: lambda = 1 / (C m) is the objective of LinearSVC divided by C m."""
    X, y = overlapping()
    lam = 0.05
    best = LinearSVC(C=1 / (lam * len(y)), loss="hinge").fit(X, y).fit_report_.objective * lam
    model = Pegasos(alpha=lam, tol=1e-4, n_iter_no_change=20, **options).fit(X, y)
    report = model.fit_report_
    assert best * (1 - 1e-9) <= report.objective <= 1.02 * best
    # The gap that is reported is a bound of the true one.
    note = [float(text.split()[3]) for text in report.notes]
    relative = report.certificate.value if report.certificate else note[0]
    assert report.objective * (1 - 1.01 * relative) <= best


def test_a_small_gap_is_a_certificate_and_a_plateau_is_a_note():
    X, y = overlapping()
    proved = Pegasos(alpha=0.1, tol=0.05, n_iter_no_change=100).fit(X, y).fit_report_
    assert proved.certificate.holds
    assert proved.certificate.value <= 0.05
    settled = Pegasos(alpha=0.01, tol=1e-3).fit(X, y).fit_report_
    assert settled.status.ok
    assert settled.certificate is None
    assert settled.notes[0].startswith("relative duality gap")


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


def test_refuses_offset():
    with pytest.raises(ValueError, match="Pegasos: offset must be a number of at least 0"):
        Pegasos(offset=-1).fit([[0.0], [1.0]], [0, 1])


def test_too_few_epochs_warn():
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="still falls after max_iter=2 epochs"):
        model = Pegasos(max_iter=2).fit(X, y)
    assert model.fit_report_.certificate is None
    assert model.fit_report_.notes


def test_worse_than_zero_weights_warns():
    """Without an offset long rows overshoot; that the objective has settled is no excuse."""
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="above 1, that of zero weights; scale the feat"):
        Pegasos(offset=0, max_iter=20).fit(1e3 * X, y)


def test_long_rows_are_better_than_zero_weights():
    rng = np.random.default_rng(0)
    X = rng.normal(loc=100.0, size=(100, 2))
    report = Pegasos().fit(X, rng.integers(2, size=100)).fit_report_
    assert report.objective <= 1.0
