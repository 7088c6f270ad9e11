"""Pairs within reach against the dense matrices of the same kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp.compact._pairs import density, pairs
from margin.kernels import (
    RBF,
    BSpline,
    Constant,
    Linear,
    Matern,
    RationalQuadratic,
    Triangle,
    Truncated,
    Wendland,
)

RNG = np.random.default_rng(0)
X = RNG.uniform(size=(70, 2))
NEW = RNG.uniform(-0.2, 1.2, size=(20, 2))
KERNELS = [
    Wendland(0.3, dimension=2),
    1.7 * Wendland((0.2, 0.5), dimension=2, smoothness=4),
    Triangle((0.2, 0.3)),
    BSpline(0.15) + 0.5 * Wendland(0.2),
    RBF(0.4) * Wendland(0.3),
    RationalQuadratic(0.4, 1.5) * (2.0 * Triangle(0.3)),
    (3.0 * Wendland((0.2, 0.4))).fix("length_scale[0]"),
    (Wendland(0.3) + Constant(2.0)) * Triangle(0.4),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_same_as_the_dense_matrix(kernel):
    """kernels.25: what is left out is zero, the rest and its derivatives are the kernel's."""
    assert kernel.supports
    assert kernel.by_pairs
    i, j = pairs(kernel, X)
    assert len(np.unique(i * len(X) + j)) == len(i)
    matrix = np.zeros((len(X), len(X)))
    matrix[i, j] = matrix[j, i] = kernel.at_pairs(X, X, i, j)
    assert_allclose(matrix, kernel(X), atol=1e-14)
    for mine, dense in zip(kernel.pair_derivatives(X, i, j), kernel.gradient(X), strict=True):
        matrix[i, j] = matrix[j, i] = mine
        assert_allclose(matrix, dense, atol=1e-12)
    i, j = pairs(kernel, NEW, X)
    matrix = np.zeros((len(NEW), len(X)))
    matrix[i, j] = kernel.at_pairs(NEW, X, i, j)
    assert_allclose(matrix, kernel(NEW, X), atol=1e-14)


@pytest.mark.parametrize(
    "kernel",
    [RBF(1.0), RBF(1.0) + Wendland(1.0), Linear() * Wendland(1.0), Truncated(RBF(1.0), 2.0)],
    ids=str,
)
def test_what_is_not_compact_or_not_known_by_pairs(kernel):
    assert kernel.supports == ()


def test_share_of_the_matrix():
    kernel = Wendland(0.3, dimension=2)
    assert density(kernel, X) == pytest.approx(np.mean(kernel(X) != 0), abs=1e-12)
    assert density(kernel + Triangle(9.0), X) == 1.0


def test_supports_are_those_of_the_parts():
    assert (Matern(1.0) * Wendland(0.2)).supports == (Wendland(0.2),)
    both = (2.0 * Wendland(0.2) + Triangle(0.3)).fix("k1.factor")
    assert both.supports == (Wendland(0.2), Triangle(0.3))
