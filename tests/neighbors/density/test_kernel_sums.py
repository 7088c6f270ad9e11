"""Densities on plain arrays: trees and matrices agree, left-out rows written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.neighbors.density._kernel_constants import KERNELS, log_volume, profile
from margin.neighbors.density._kernel_sums import KernelSums, Tolerance
from margin.neighbors.search._names import Asked, metric_of

RNG = np.random.default_rng(0)
X, Q, WEIGHT = RNG.normal(size=(80, 2)), RNG.normal(size=(15, 2)), RNG.uniform(0.5, 2.0, size=80)


def sums(metric="euclidean", **params):
    return KernelSums(X, WEIGHT, metric_of("M", Asked(metric, params), X, False), True, 16, 1)


@pytest.mark.parametrize("kernel", KERNELS)
def test_trees_and_matrices_agree(kernel):
    def distance(a, b):
        return np.sqrt(((a - b) ** 2).sum())

    by_tree = sums().log_density(Q, kernel, 0.7)
    assert_allclose(sums(distance).log_density(Q, kernel, 0.7), by_tree, rtol=1e-10)


def test_great_circles_and_mapped_rows():
    from sklearn.metrics.pairwise import haversine_distances

    u = haversine_distances(Q, X) / 0.4
    expected = np.log(np.exp(-0.5 * u**2) @ WEIGHT / WEIGHT.sum()) - log_volume("gaussian", 0.4, 2)
    assert_allclose(sums("haversine").log_density(Q, "gaussian", 0.4), expected, rtol=1e-9)
    scaled = sums("seuclidean", V=np.array([4.0, 1.0])).log_density(Q, "gaussian", 0.4)
    u = np.linalg.norm((Q[:, None] - X) / [2.0, 1.0], axis=2) / 0.4
    expected = np.log(np.exp(-0.5 * u**2) @ WEIGHT / WEIGHT.sum()) - log_volume("gaussian", 0.4, 2)
    assert_allclose(scaled, expected, rtol=1e-10)


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_left_out(kernel):
    u = np.linalg.norm(X[:, None] - X, axis=2) / 1.5
    values = profile(kernel, u) * (1 - np.eye(80))
    expected = np.log(values @ WEIGHT / (WEIGHT.sum() - WEIGHT)) - log_volume(kernel, 1.5, 2)
    assert_allclose(sums().left_out(kernel, 1.5, Tolerance()), expected, rtol=1e-9)
