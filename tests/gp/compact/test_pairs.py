"""Pairs within reach against the dense matrices of the same kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.gp.compact._pairs import bounds, density, derivatives, is_compact, pairs, values
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
    assert is_compact(kernel)
    i, j = pairs(kernel, X)
    assert len(np.unique(i * len(X) + j)) == len(i)
    made = np.zeros((len(X), len(X)))
    made[i, j] = made[j, i] = values(kernel, X, X, i, j)
    assert_allclose(made, kernel(X), atol=1e-14)
    for mine, dense in zip(derivatives(kernel, X, i, j), kernel.gradient(X), strict=True):
        made[i, j] = made[j, i] = mine
        assert_allclose(made, dense, atol=1e-12)
    i, j = pairs(kernel, NEW, X)
    made = np.zeros((len(NEW), len(X)))
    made[i, j] = values(kernel, NEW, X, i, j)
    assert_allclose(made, kernel(NEW, X), atol=1e-14)


@pytest.mark.parametrize(
    "kernel",
    [RBF(1.0), RBF(1.0) + Wendland(1.0), Linear() * Wendland(1.0), Truncated(RBF(1.0), 2.0)],
    ids=str,
)
def test_what_is_not_compact_or_not_known_by_pairs(kernel):
    assert not is_compact(kernel)


def test_share_of_the_matrix():
    kernel = Wendland(0.3, dimension=2)
    assert density(kernel, X) == pytest.approx(np.mean(kernel(X) != 0), abs=1e-12)
    assert density(kernel + Triangle(9.0), X) == 1.0
    assert bounds(Matern(1.0) * Wendland(0.2)) == [Wendland(0.2)]
