"""Fixed and bounded hyper-parameters."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, Matern, White
from margin.testing import KernelContract


class TestConstrained(KernelContract):
    def make(self):
        return [
            (RBF((1.0, 2.0, 3.0)) * Matern()).fix("k1.length_scale"),
            (2.0 * RBF(0.7)).fix("factor"),
            RBF((1.0, 2.0, 3.0)).fix("length_scale[1]").bound(length_scale=(0.1, 10.0)),
            RBF(2.0).fix(),
        ]


def test_names():
    kernel = (RBF((1.0, 2.0)) + White(0.1)).fix("k1.length_scale[0]", "k2.noise_level")
    assert kernel.theta_names == ("k1.length_scale[1]",)
    assert_allclose(kernel.theta, [np.log(2.0)])
    assert kernel.with_theta([0.0]).kernel == RBF((1.0, 1.0)) + White(0.1)
    assert RBF(2.0).fix().theta.shape == (0,)


def test_bounds_replace_and_add_up():
    kernel = RBF((1.0, 2.0)).bound(length_scale=(0.5, 5.0)).fix("length_scale[0]")
    assert_allclose(kernel.bounds, np.log([[0.5, 5.0]]))
    assert kernel.kernel == RBF((1.0, 2.0))


def test_gradients_of_the_free_ones_only():
    X = np.random.default_rng(0).normal(size=(9, 3))
    whole = RBF((1.0, 2.0, 3.0))
    part = whole.fix("length_scale[1]")
    assert_allclose(part.gradient(X), whole.gradient(X)[[0, 2]])
    assert whole.fix().gradient_product(X, np.ones((9, 9))).shape == (0,)


def test_refusals():
    with pytest.raises(ValueError, match="RBF: name must be one of length_scale, got 'period'"):
        RBF().fix("period")
    with pytest.raises(ValueError, match="Linear: name must be one of none"):
        Linear().fix("length_scale")
    for bad in ((2.0, 1.0), (0.0, 1.0), (1.0,), (1.0, np.inf)):
        with pytest.raises(ValueError, match="RBF: length_scale must be kept between two numbers"):
            RBF().bound(length_scale=bad)
