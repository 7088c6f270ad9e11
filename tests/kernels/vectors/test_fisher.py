"""The Fisher kernel (kernels.26)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import Fisher, numerical_score
from margin.testing import KernelContract

MEAN, VARIANCE = 0.5, 2.0


def score(X):
    """Gradient of the Gaussian log density in mean and variance."""
    d = np.asarray(X)[:, 0] - MEAN
    return np.stack([d / VARIANCE, (d**2 / VARIANCE - 1.0) / (2.0 * VARIANCE)], axis=1)


def log_prob(X, theta):
    mean, variance = theta
    return -0.5 * (np.log(2 * np.pi * variance) + (np.asarray(X)[:, 0] - mean) ** 2 / variance)


INFORMATION = np.diag([1.0 / VARIANCE, 0.5 / VARIANCE**2])


class TestFisher(KernelContract):
    keeps_precision = False

    def make(self):
        return [Fisher(score), Fisher(score, INFORMATION)]


def test_gaussian_by_hand():
    """kernels.26: the plain product of scores, no information matrix."""
    X = np.array([[1.5], [-2.0]])
    d = X[:, 0] - MEAN
    u = np.array([[v / 2.0, (v * v / 2.0 - 1.0) / 4.0] for v in d])
    assert_allclose(Fisher(score)(X), u @ u.T, rtol=1e-13)
    weighted = u @ np.linalg.inv(INFORMATION) @ u.T
    assert_allclose(Fisher(score, INFORMATION)(X), weighted, rtol=1e-13)


def test_any_model_with_a_log_density():
    X = np.random.default_rng(0).normal(size=(7, 1))
    numeric = Fisher(numerical_score(log_prob, [MEAN, VARIANCE]))
    assert_allclose(numeric(X), Fisher(score)(X), rtol=1e-7, atol=1e-9)
    assert numeric == Fisher(numerical_score(log_prob, [MEAN, VARIANCE]))


def test_with_information_it_does_not_depend_on_the_parametrisation():
    """Log variance instead of variance: score and information change, the kernel does not."""
    jacobian = np.diag([1.0, VARIANCE])
    other = Fisher(lambda X: score(X) @ jacobian, jacobian @ INFORMATION @ jacobian)
    X = np.random.default_rng(1).normal(size=(6, 1))
    assert_allclose(other(X), Fisher(score, INFORMATION)(X), rtol=1e-12)


def test_score_has_mean_zero_so_features_are_centred():
    X = np.random.default_rng(2).normal(MEAN, np.sqrt(VARIANCE), size=(40000, 1))
    assert np.abs(score(X).mean(axis=0)).max() < 0.02


def test_refusals():
    with pytest.raises(ValueError, match="Fisher: score must be a function"):
        Fisher(3.0)
    with pytest.raises(ValueError, match="Fisher: information must be symmetric and positive"):
        Fisher(score, [[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="Fisher: information must be a square matrix"):
        Fisher(score, [[1.0, 2.0]])
    with pytest.raises(ValueError, match="Fisher: score must be giving a finite array"):
        Fisher(lambda X: np.zeros(3))([[1.0]])
