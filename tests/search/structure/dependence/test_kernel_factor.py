"""Gaussian Gram matrices by few features, against the matrices."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist

from margin.search.structure.dependence._kernel_factor import (
    gaussian_factor,
    median_width,
    product_moments,
)


def matrix(X, width):
    return np.exp(-cdist(X, X, "sqeuclidean") / (2 * width**2))


@pytest.mark.parametrize(("p", "most"), [(1, 40), (2, 200)])
def test_nothing_is_left_of_the_matrix(p, most):
    X = np.random.default_rng(p).normal(size=(400, p))
    F = gaussian_factor(X, 1.1, most=most)
    assert abs(F @ F.T - matrix(X, 1.1)).max() < 1e-12


def test_too_many_features_are_none():
    X = np.random.default_rng(0).normal(size=(100, 8))
    assert gaussian_factor(X, 0.5, most=60) is None
    assert gaussian_factor(X, 0.5, most=100).shape == (100, 100)


def test_equal_rows_need_one_feature():
    F = gaussian_factor(np.full((20, 3), 4.0), 1.0, most=5)
    assert F.shape == (20, 1)
    assert (F == 1.0).all()


def test_width_is_the_median_distance():
    X = np.random.default_rng(1).normal(size=(90, 2))
    assert median_width(X) == np.median(pdist(X))
    assert median_width(X, 30) == np.median(pdist(X[::3]))
    assert median_width(np.ones((5, 1))) == 1.0


@pytest.mark.parametrize("n", [3, 512, 700, 1500])
def test_moments_of_a_product(n):
    rng = np.random.default_rng(n)
    F, G = rng.normal(size=(n, 4)), rng.normal(size=(n, 3))
    product = (F @ F.T) * (G @ G.T)
    expected = product.sum(), np.trace(product), (product**2).sum()
    assert product_moments(F, G) == pytest.approx(expected, rel=1e-10)
