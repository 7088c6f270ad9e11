"""Regression that chooses among kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, combine, on_columns
from margin.svm import SVR, MultipleKernelSVR

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, size=(60, 2))
Y = np.sin(2 * X[:, 0]) + 0.3 * X[:, 1] + 0.1 * RNG.normal(size=60)
PARTS = [on_columns(RBF(0.7), [0]), on_columns(RBF(2.0), [1])]
STACK = np.array([part(X) for part in PARTS])


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_no_weights_on_a_grid_are_better(norm):
    """svm.19"""
    model = MultipleKernelSVR(kernels=PARTS, C=2.0, norm=norm, normalize=False, tol=1e-7)
    model.fit(X, Y)
    best = model.fit_report_.objective
    assert model.fit_report_.certificate.holds
    for share in np.linspace(0.0, 1.0, 21):
        weights = np.array([share, 1.0 - share])
        weights *= 2 ** (1 / norm - 1) / np.linalg.norm(weights, norm)
        K = np.tensordot(weights, STACK, 1)
        other = SVR(kernel="precomputed", C=2.0, tol=1e-8).fit(K, Y)
        assert -other.fit_report_.objective >= best * (1 - 1e-6)


def test_one_kernel_is_svr():
    ours = MultipleKernelSVR(kernels=["rbf"], normalize=False, C=3.0).fit(X, Y)
    theirs = SVR(C=3.0).fit(X, Y)
    assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-8)
    assert (ours.support_ == theirs.support_).all()
    assert repr(ours.support_report_) == repr(theirs.support_report_)


def test_alignment_is_that_of_the_kernels():
    model = MultipleKernelSVR(kernels=PARTS, strategy="alignment", normalize=False).fit(X, Y)
    assert_allclose(model.weights_, combine(PARTS, X, Y).weights, atol=1e-8)


def test_weights_are_repeated_rows():
    weight = RNG.integers(0, 3, size=60)
    model = MultipleKernelSVR(kernels=PARTS, tol=1e-8)
    once = model.fit(X, Y, sample_weight=weight).predict(X)
    again = model.fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight)).predict(X)
    assert_allclose(once, again, atol=1e-3)


def test_matrices_give_the_same_machine():
    ours = MultipleKernelSVR(kernels="precomputed").fit(STACK[:, :40, :40], Y[:40])
    theirs = MultipleKernelSVR(kernels=PARTS).fit(X[:40], Y[:40])
    assert_allclose(ours.weights_, theirs.weights_, atol=1e-8)
    assert_allclose(ours.predict(STACK[:, 40:, :40]), theirs.predict(X[40:]), atol=1e-8)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epsilon": -0.1}, "epsilon must be a number of at least 0"),
        ({"norm": 0.0}, "norm must be"),
        ({"kernels": []}, "kernels must be a list"),
    ],
    ids=["epsilon", "norm", "kernels"],
)
def test_refusals(settings, message):
    with pytest.raises(ValueError, match=f"MultipleKernelSVR: {message}"):
        MultipleKernelSVR(**settings).fit(X, Y)


def test_wide_tube_is_a_constant():
    model = MultipleKernelSVR(kernels=PARTS, epsilon=50.0).fit(X, Y)
    assert np.ptp(model.predict(X)) == 0.0
    assert not len(model.support_)


def test_tiny_rows_in_single_precision():
    """One over the variance of the rows is no number of their precision."""
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(30, 2)).astype(np.float32), rng.normal(size=30)
    tiny = MultipleKernelSVR(kernels=["linear"]).fit(rows * np.float32(1e-22), y)
    usual = MultipleKernelSVR(kernels=["linear"]).fit(rows, y)
    found = tiny.predict(rows * np.float32(1e-22))
    assert_allclose(found, usual.predict(rows), atol=1e-3)
