"""Machines for all prices at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

from margin.kernels import RBF, Spectrum, White
from margin.svm import SVC, svc_path
from margin.svm import _gram as dual

RNG = np.random.default_rng(0)
Y = np.array(["no", "yes"])[(RNG.random(50) < 0.3).astype(int)]
X = RNG.normal(size=(50, 2)) + (Y == "yes")[:, None]
PRICES = (0.003, 0.05, 0.7, 12.0, 300.0)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", RBF(0.7) + White(0.1)], ids=str)
def test_same_machines_as_svc(kernel):
    """svm.03"""
    path = svc_path(X, Y, kernel=kernel, coef0=1.0)
    new = RNG.normal(size=(20, 2))
    values = path.decision_function(new, PRICES)
    for k, C in enumerate(PRICES):
        model = SVC(C=C, kernel=kernel, coef0=1.0, tol=1e-10).fit(X, Y)
        assert_allclose(values[:, k], model.decision_function(new), atol=1e-6)
        assert_allclose(path.decision_function(new, C), values[:, k], atol=1e-12)
        assert (path.predict(new, C) == model.predict(new)).all()
        assert_allclose(path.intercept(C), model.intercept_[0], atol=1e-6)


def test_real_data():
    """svm.03"""
    rows, y = load_breast_cancer(return_X_y=True)
    rows = scale(rows)
    path = svc_path(rows, y)
    for C in (0.01, 1.0, 100.0):
        model = SVC(C=C, tol=1e-10).fit(rows, y)
        ours = path.decision_function(rows, C)
        assert_allclose(ours, model.decision_function(rows), atol=1e-6)
    assert (np.diff(path.margins) <= 1e-9).all()
    assert path.n_support[0] >= 2 * 212
    assert path.n_support[-1] < path.n_support[0]


def test_weights_and_class_weights():
    weight = RNG.integers(0, 3, size=50)
    path = svc_path(X, Y, weight, class_weight={"yes": 2.5})
    for C in PRICES:
        model = SVC(C=C, class_weight={"yes": 2.5}, tol=1e-10).fit(X, Y, sample_weight=weight)
        assert_allclose(path.decision_function(X, C), model.decision_function(X), atol=1e-6)
    assert not path.dual_coef(PRICES)[:, weight == 0].any()


def test_matrices_sparse_rows_and_strings():
    plain = svc_path(X, Y, kernel=RBF(1.0)).decision_function(X, 2.0)
    K = RBF(1.0)(X)
    before = K.copy()
    path = svc_path(K, Y, kernel="precomputed")
    assert_allclose(path.decision_function(K, 2.0), plain, atol=1e-8)
    assert_allclose(path.at(2.0).decision_function(K), plain, atol=1e-8)
    assert (before == K).all()
    csr = svc_path(sparse.csr_array(X), Y, kernel="linear").decision_function(X, 2.0)
    assert_allclose(csr, svc_path(X, Y, kernel="linear").decision_function(X, 2.0), atol=1e-8)
    words, y = ["abab", "abba", "cdcd", "ddcc"], [0, 0, 1, 1]
    assert (svc_path(words, y, kernel=Spectrum(2)).predict(words, 1.0) == y).all()


def test_equal_rows_of_both_classes():
    rows, y = [[0.0], [0.0], [1.0], [1.0], [1.0], [3.0]], [0, 1, 0, 1, 1, 1]
    path = svc_path(rows, y, kernel="linear", C_max=np.inf)
    for C in (0.01, 0.3, 2.0, 50.0):
        ours = path.at(C).fit_report_
        theirs = SVC(C=C, kernel="linear", tol=1e-10).fit(rows, y).fit_report_
        assert_allclose(ours.objective, theirs.objective, rtol=1e-8)
        assert ours.certificate.holds


def test_only_two_rows():
    path = svc_path([[1, 1], [-1, -1]], [1, -1], kernel="linear", C_max=np.inf)
    assert_allclose(path.Cs, [0.0, 0.25])
    assert path.C_max == np.inf
    assert_allclose(path.margins[-1], np.sqrt(2.0))
    assert_allclose(path.dual_coef(1e6), [0.25, -0.25])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C_min": -1.0}, "C_min must be a number of at least 0"),
        ({"C_min": np.inf}, "C_min must be"),
        ({"C_min": 2.0, "C_max": 1.0}, "C_max must be above C_min=2"),
        ({"C_max": "big"}, "C_max must be"),
        ({"max_events": 0}, "max_events must be"),
        ({"kernel": "rbg"}, "kernel must be"),
        ({"gamma": 0.0}, "gamma must be"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"svc_path: {message}"):
        svc_path(X, Y, **settings)


def test_bad_data(monkeypatch):
    with pytest.raises(ValueError, match="svc_path: y must be of two classes, got 3"):
        svc_path(X, np.arange(50) % 3)
    with pytest.raises(ValueError, match="svc_path: y must hold at least 2 classes"):
        svc_path(X, np.ones(50))
    monkeypatch.setattr(dual, "LARGEST", 8.0 * 40**2)
    with pytest.raises(ValueError, match="svc_path: X must have at most 40 rows, got 50"):
        svc_path(X, Y)


def test_kernel_that_is_none():
    with pytest.raises(ValueError, match="svc_path: kernel must be positive semi-definite"):
        svc_path(X, Y, kernel=lambda A, B: -A @ B.T)


@pytest.mark.parametrize("level", [0.0, 2.0])
def test_constant_features(level):
    rows, y = np.full((5, 2), level), [0, 0, 1, 1, 1]
    path = svc_path(rows, y, kernel="linear", C_max=10.0)
    for C in (0.01, 1.0, 10.0):
        assert_allclose(path.decision_function(rows, C), 1.0)
    assert path.at(1.0).fit_report_.certificate.holds
