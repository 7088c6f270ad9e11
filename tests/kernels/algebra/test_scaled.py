"""Positive multiples of a kernel (kernels.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import kernels as peer

from margin.kernels import RBF, Matern, Scaled
from margin.testing import KernelContract


class TestScaled(KernelContract):
    stationary = True

    def make(self):
        return [2.5 * RBF(0.8), Scaled(Matern((1.0, 2.0, 3.0)), 0.1)]


def test_agrees_with_scikit_learn():
    X = np.random.default_rng(0).normal(size=(12, 2))
    ours, theirs = 2.5 * RBF(0.8), 2.5 * peer.RBF(0.8)
    K, gradient = theirs(X, eval_gradient=True)
    assert_allclose(ours(X), K, rtol=1e-13)
    assert_allclose(ours.gradient(X), np.moveaxis(gradient, 2, 0), rtol=1e-11)
    assert_allclose(ours.theta, theirs.theta)


def test_the_factor_is_the_first_hyper_parameter():
    kernel = 2.5 * RBF((1.0, 2.0))
    assert kernel.theta_names == ("factor", "length_scale[0]", "length_scale[1]")
    assert_allclose(kernel.with_theta(np.log([3.0, 4.0, 5.0])).factor, 3.0)


@pytest.mark.parametrize("factor", [0.0, -1.0, np.inf, "a"])
def test_factor_is_refused(factor):
    with pytest.raises(ValueError, match=r"Scaled: factor must be (a number above 0|finite)"):
        Scaled(RBF(), factor)
