"""Matérn kernels (kernels.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import kernels as peer

from margin.kernels import RBF, Matern
from margin.kernels.radial._matern import general
from margin.testing import KernelContract


class TestMatern(KernelContract):
    stationary = True

    def make(self):
        halves = [Matern(1.3, nu=nu) for nu in (0.5, 1.5, 2.5, np.inf)]
        return [*halves, Matern((0.5, 1.0, 2.0)), Matern(nu=0.8), Matern((1.0, 2.0, 3.0), nu=3.2)]


@pytest.mark.parametrize(("nu", "value"), [(0.5, 0.367879), (1.5, 0.483358), (2.5, 0.523994)])
def test_golden_numbers_at_one_length_scale(nu, value):
    """kernels.09: r = rho."""
    assert_allclose(Matern(2.0, nu=nu)([[0.0]], [[2.0]]), [[value]], atol=5e-7)


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_closed_forms_are_the_general_form(nu):
    """The normaliser is 2^(1-nu) / Gamma(nu) and the argument r / rho."""
    s = np.concatenate([[0.0, 1e-300, 1e-20], np.logspace(-8, 4, 200)])
    assert_allclose(Matern(nu=nu).profile(s), general(s, nu), rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("nu", [0.3, 0.5, 1.0, 1.5, 2.5, 4.0, np.inf])
def test_agrees_with_scikit_learn(nu):
    X = np.random.default_rng(0).normal(size=(25, 2))
    ours, theirs = Matern((0.7, 1.9), nu=nu), peer.Matern([0.7, 1.9], nu=nu)
    assert_allclose(ours(X), theirs(X), rtol=1e-9)
    assert_allclose(ours(X, X[:5]), theirs(X, X[:5]), rtol=1e-9)
    if nu in (0.5, 1.5, 2.5):
        gradient = np.moveaxis(theirs(X, eval_gradient=True)[1], 2, 0)
        assert_allclose(ours.gradient(X), gradient, atol=1e-12)


def test_smooth_limit_is_the_gaussian():
    X = np.random.default_rng(1).normal(size=(8, 2))
    assert (Matern(1.5, nu=np.inf)(X) == RBF(1.5)(X)).all()
    assert_allclose(Matern(1.5, nu=200.0)(X), RBF(1.5)(X), atol=5e-3)


def test_nearly_equal_points_of_the_rough_kernel():
    """The slope of exp(-r) at zero is infinite, its derivative in the length scale is not."""
    X = np.array([[0.0], [0.0], [1e-12], [1.0]])
    gradient = Matern(nu=0.5).gradient(X)[0]
    assert np.isfinite(gradient).all()
    assert gradient[0, 1] == 0.0
    assert_allclose(gradient[0, 3], np.exp(-1.0), rtol=1e-12)


@pytest.mark.parametrize("nu", [0.0, -1.0, np.nan, "a", True])
def test_smoothness_is_refused(nu):
    with pytest.raises(ValueError, match="Matern: nu must be a number above 0"):
        Matern(nu=nu)


def test_smoothness_is_named():
    with pytest.raises(TypeError):
        Matern(1.0, 2.5)
