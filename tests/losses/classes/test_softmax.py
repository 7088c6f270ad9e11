"""Softmax cross-entropy (losses.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import softmax

from margin.losses import Softmax, SymmetricCrossEntropy
from margin.testing import LossContract


class TestSoftmaxContract(LossContract):
    def make(self):
        return [Softmax()]


class TestSoftmaxContractOfTwoClasses(LossContract):
    n_classes = 2

    def make(self):
        return [Softmax()]


def test_golden_numbers():
    """losses.12: log K for equal scores; 1, 2, 3 give 2.40760596, 1.40760596, 0.40760596."""
    for k in (1, 2, 4, 10):
        assert_allclose(Softmax().value(np.zeros((1, k)), np.array([0])), np.log(k), atol=1e-16)
    z = np.tile([1.0, 2.0, 3.0], (3, 1))
    value = Softmax().value(z, np.arange(3))
    assert_allclose(value, [2.4076059644, 1.4076059644, 0.4076059644], atol=1e-10)
    assert_allclose(np.exp(-value).sum(), 1.0)


def test_slopes_sum_to_zero_and_are_probabilities_minus_the_indicator():
    """losses.12: the slope lies in the plane of vanishing sums."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(scale=4, size=(40, 5)), rng.integers(5, size=40)
    slope = Softmax().slope(z, y)
    assert_allclose(slope.sum(axis=1), 0.0, atol=1e-15)
    assert_allclose(slope + np.eye(5)[y], softmax(z, axis=1), atol=1e-15)


def test_shift_of_all_scores_changes_nothing():
    """losses.12: also by amounts that overflow the exponential."""
    rng = np.random.default_rng(0)
    z, y = rng.integers(-8, 8, size=(20, 4)).astype(float), rng.integers(4, size=20)
    for shift in (-1e6, 1e3, 2.0**40):
        assert_allclose(Softmax().value(z + shift, y), Softmax().value(z, y), rtol=1e-12)
        assert_allclose(Softmax().sweep(z + shift, y, None)[0], Softmax().sweep(z, y, None)[0])


def test_curvature_is_the_diagonal_of_the_covariance_of_the_indicator():
    """losses.12: diag(p) - p p^T, and its largest eigenvalue never exceeds the smoothness."""
    rng = np.random.default_rng(0)
    z = rng.normal(scale=3, size=(50, 4))
    bend = Softmax().curvature(z, np.zeros(50, dtype=int))
    for row, p in zip(bend, softmax(z, axis=1), strict=True):
        hessian = np.diag(p) - np.outer(p, p)
        assert_allclose(row, np.diag(hessian))
        assert np.linalg.eigvalsh(hessian)[-1] <= Softmax.smoothness + 1e-12
    half = softmax(np.array([0.0, 0.0, -800.0]))
    assert_allclose(np.linalg.eigvalsh(np.diag(half) - np.outer(half, half))[-1], 0.5)


def test_class_code_out_of_range_is_refused():
    with pytest.raises(ValueError, match="class code out of range"):
        Softmax().sweep(np.zeros((2, 3)), np.array([0, 3]), None)


@pytest.mark.parametrize("loss", [Softmax(), SymmetricCrossEntropy()])
@pytest.mark.parametrize("method", ["value", "slope", "curvature"])
def test_scores_and_classes(loss, method):
    ask, name = getattr(loss, method), type(loss).__name__
    np.testing.assert_array_equal(ask([[1, 0.5]], [1]), ask(np.array([[1, 0.5]]), np.array([1])))
    with pytest.raises(ValueError, match=rf"{name}: z must be rows of class scores, .*got \(2,\)"):
        ask([1, 0], [1, 0.5])
    for wrong in ([2], [-1], [0.5], [0, 1]):
        with pytest.raises(ValueError, match=f"{name}: y must be 1 whole numbers from 0 to 1"):
            ask([[1, 0]], wrong)
