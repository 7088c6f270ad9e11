"""Pegasos by hand, against the optimum, and step by step."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from margin.core import Status
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
    "options",
    [{"average": False}, {"projection": True}, {"offset": 0}, {"offset": 50.0}, {}],
    ids=["last", "projection", "printed", "offset", "default"],
)
def test_reaches_the_minimum(options):
    """svm.06: lambda = 1 / (C m) is the objective of LinearSVC divided by C m."""
    X, y = overlapping()
    lam = 0.05
    best = LinearSVC(C=1 / (lam * len(y)), loss="hinge").fit(X, y).fit_report_.objective * lam
    report = Pegasos(alpha=lam, tol=2e-3, **options).fit(X, y).fit_report_
    assert report.status is Status.CONVERGED
    assert best * (1 - 1e-9) <= report.objective <= (1 + 2e-3) * best
    # The gap that is reported is a bound of the true one.
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_trace_is_monotone_and_bounds_the_minimum(n_classes):
    X, _ = overlapping()
    y = np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.3, 0.5][: n_classes - 1])
    report = Pegasos(alpha=0.05, tol=1e-2).fit(X, y).fit_report_
    objective, gap = report.trace["objective"], report.trace["gap"]
    assert np.diff(objective).max(initial=0.0) <= 0
    assert np.diff(objective - gap).min(initial=0.0) >= -1e-12
    C = 1 / (0.05 * len(y))
    best = 0.05 * LinearSVC(C=C, loss="hinge").fit(X, y).fit_report_.objective
    assert (objective - gap).max() <= best * (1 + 1e-9)
    assert best <= objective.min() * (1 + 1e-9)


def test_a_plateau_is_not_called_converged():
    """svm.06: rows of very different scales end the search far away, and the report says so."""
    X, y = overlapping()
    X = X * [1.0, 1e3, 1e-2]
    with pytest.warns(ConvergenceWarning, match="falls no more after .* epochs, relative dual"):
        report = Pegasos(alpha=1e-3, n_iter_no_change=5).fit(X, y).fit_report_
    assert report.status is Status.STALLED
    assert not report.certificate.holds
    C = 1 / (1e-3 * len(y))
    best = 1e-3 * LinearSVC(C=C, loss="hinge").fit(X, y).fit_report_.objective
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-6)


def test_the_mean_is_used_where_it_is_better():
    X, y = overlapping()
    objective = []
    for average in (True, False):
        model = Pegasos(alpha=0.01, max_iter=20, tol=1e-9, average=average)
        with pytest.warns(ConvergenceWarning):
            objective.append(model.fit(X, y).fit_report_.objective)
    assert objective[0] < objective[1]


@pytest.mark.parametrize("storage", [np.asarray, csr_matrix], ids=["dense", "sparse"])
def test_weights_are_copies(storage):
    """svm.06: the loss of a row of weight two is that of the row twice; zero leaves it out."""
    X, y = overlapping(40)
    weight = np.random.default_rng(1).integers(0, 4, size=40)
    one = Pegasos(alpha=0.05).fit(storage(X), y, sample_weight=weight)
    two = Pegasos(alpha=0.05).fit(storage(np.repeat(X, weight, axis=0)), np.repeat(y, weight))
    assert np.allclose(one.coef_, two.coef_, rtol=1e-9)
    C = 1 / (0.05 * weight.sum())
    best = LinearSVC(C=C, loss="hinge").fit(X, y, sample_weight=weight).fit_report_.objective / C
    best /= weight.sum()
    report = one.fit_report_
    assert best * (1 - 1e-9) <= report.objective
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)


def test_weights_of_a_stream_are_copies():
    X, y = overlapping(30)
    weight = np.random.default_rng(1).integers(0, 3, size=30).astype(float)
    times = weight.astype(int)
    one = Pegasos().partial_fit(X, y, sample_weight=weight)
    two = Pegasos(offset=one._offset).partial_fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert one.t_ == two.t_ == weight.sum()
    assert np.allclose(one.coef_, two.coef_)
    assert np.isclose(one.fit_report_.objective, two.fit_report_.objective)


def test_weights_of_one_class_only_are_refused():
    with pytest.raises(ValueError, match="Pegasos: sample_weight must be above 0 in at least 2"):
        Pegasos().fit([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 0.0])


def test_part_by_part_claims_nothing():
    """svm.10: one epoch has no certificate, and its report does not say converged."""
    X, y = overlapping(30)
    report = Pegasos().partial_fit(X, y).fit_report_
    assert report.status is Status.MAX_ITER
    assert report.certificate is None
    z = 1 - y * Pegasos().partial_fit(X, y).decision_function(X)
    w = np.append(*[getattr(Pegasos().partial_fit(X, y), k) for k in ("coef_", "intercept_")])
    assert np.isclose(report.objective, 0.005 * w @ w + np.maximum(z, 0).mean())


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
    with pytest.warns(ConvergenceWarning, match="too few after 2 epochs, relative duality gap"):
        model = Pegasos(max_iter=2, tol=1e-4).fit(X, y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert not model.fit_report_.certificate.holds


def test_worse_than_zero_weights_warns():
    """Without an offset long rows overshoot, and the report says how far."""
    X, y = overlapping()
    with pytest.warns(ConvergenceWarning, match="above 1, that of zero weights; scale the feat"):
        Pegasos(offset=0, max_iter=20).fit(1e3 * X, y)


def test_long_rows_are_certified_by_the_minimum():
    """Small problems are held against their minimum where the steps leave a wide gap."""
    rng = np.random.default_rng(0)
    X = rng.normal(loc=100.0, size=(100, 2))
    y = rng.integers(2, size=100)
    report = Pegasos(tol=0.01).fit(X, y).fit_report_
    assert report.objective <= 1.0
    assert report.status is Status.CONVERGED
    best = 0.01 * LinearSVC(C=1.0, loss="hinge").fit(X, y).fit_report_.objective
    assert report.objective * (1 - report.certificate.value) <= best * (1 + 1e-9)
