"""Ours in the kernels of scikit-learn: there and back again."""

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as sk

from margin.kernels import (
    RBF,
    Constant,
    Foreign,
    Linear,
    Matern,
    Periodic,
    RationalQuadratic,
    White,
    from_sklearn,
    to_sklearn,
)

X = np.random.default_rng(0).normal(size=(5, 1))
WIDE = np.random.default_rng(0).normal(size=(5, 2))
KERNELS = [
    RBF(0.5),
    2.0 * Matern(0.5, nu=1.5) + White(0.1),
    RationalQuadratic(0.5, 2.0) * Periodic(1.0, 2.0) * Matern(nu=0.5),
    (Constant(3.0) + Linear()) ** 2,
    (3.0 * RBF(0.5) + White(0.2)).fix("k2.noise_level"),
    RBF(0.5).bound(length_scale=(0.1, 3.0)) + White(0.3).fix(),
    Foreign(sk.PairwiseKernel(metric="rbf")),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_values_and_bounds_come_back(kernel):
    theirs = to_sklearn(kernel)
    np.testing.assert_allclose(theirs(X), kernel(X), rtol=1e-12)
    both = from_sklearn(theirs, columns=1)
    np.testing.assert_allclose(both.ours(X), kernel(X), rtol=1e-12)
    np.testing.assert_allclose(np.sort(both.ours.theta), np.sort(kernel.theta), atol=1e-12)
    np.testing.assert_allclose(np.sort(theirs.bounds, 0), np.sort(kernel.bounds, 0), atol=1e-9)


def test_one_length_scale_per_column():
    kernel = RBF((0.5, 2.0))
    theirs = to_sklearn(kernel.fix())
    assert not len(theirs.theta)
    np.testing.assert_allclose(to_sklearn(kernel)(WIDE), kernel(WIDE), rtol=1e-12)
    with pytest.raises(ValueError, match="length scales of all columns fixed or none"):
        to_sklearn(kernel.fix("length_scale[0]"))


@pytest.mark.parametrize(
    "kernel",
    [Linear([[2.0]]), RationalQuadratic((1.0, 2.0)), Periodic((1.0, 2.0), 1.0)],
    ids=str,
)
def test_what_scikit_learn_has_not_is_refused(kernel):
    with pytest.raises(ValueError, match="to_sklearn: kernel must be"):
        to_sklearn(kernel)
