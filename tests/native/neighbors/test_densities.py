"""Sums of kernels against sums written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from margin.native.neighbors import densities, trees

PROFILES = {
    "gaussian": lambda u: np.exp(-0.5 * u**2),
    "exponential": lambda u: np.exp(-u),
    "tophat": lambda u: (u < 1) * 1.0,
    "epanechnikov": lambda u: (u < 1) * (1 - u**2),
    "linear": lambda u: (u < 1) * (1 - u),
    "cosine": lambda u: (u < 1) * np.cos(0.5 * np.pi * np.minimum(u, 1)),
}


@pytest.mark.parametrize("kernel", densities.KERNELS)
@pytest.mark.parametrize("boxes", [True, False])
@pytest.mark.parametrize("measure", ["euclidean", "manhattan"])
def test_sums_are_exact_without_tolerance(kernel, boxes, measure):
    rng = np.random.default_rng(0)
    X, Q, weight = rng.normal(size=(300, 3)), rng.normal(size=(40, 3)), rng.random(300)
    u = cdist(Q, X, "cityblock" if measure == "manhattan" else measure) / 0.9
    with np.errstate(divide="ignore"):
        truth = np.log(PROFILES[kernel](u) @ weight)
    tree = trees.tree(X, measure, 1.0, boxes=boxes)
    for n_threads in (1, 2):
        answer = densities.log_kernel_sums(tree, weight, Q, kernel, 0.9, n_threads=n_threads)
        assert_allclose(answer, truth, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("rtol", [1e-2, 1e-6])
def test_relative_tolerance_is_kept(rtol):
    rng = np.random.default_rng(1)
    X, Q = rng.normal(size=(5000, 2)), 2.0 * rng.normal(size=(100, 2))
    truth = np.exp(-0.5 * (cdist(Q, X) / 0.3) ** 2).sum(axis=1)
    tree = trees.tree(X, "euclidean")
    answer = densities.log_kernel_sums(tree, np.ones(5000), Q, "gaussian", 0.3, rtol=rtol)
    assert np.abs(np.exp(answer) / truth - 1).max() <= rtol


def test_absolute_tolerance_is_kept():
    rng = np.random.default_rng(1)
    X, Q = rng.normal(size=(5000, 2)), 2.0 * rng.normal(size=(100, 2))
    truth = np.exp(-0.5 * (cdist(Q, X) / 0.3) ** 2).mean(axis=1)
    answer = densities.log_kernel_sums(
        trees.tree(X, "euclidean"),
        np.ones(5000),
        Q,
        "gaussian",
        0.3,
        log_scale=-np.log(5000),
        atol=1e-3,
    )
    assert np.abs(np.exp(answer) / 5000 - truth).max() <= 1e-3


def test_far_away_nothing_underflows():
    """The logarithm of the one term that matters."""
    tree = trees.tree(np.array([[0.0], [1.0]]), "euclidean")
    answer = densities.log_kernel_sums(tree, np.ones(2), np.array([[1001.0]]), "gaussian", 1.0)
    assert_allclose(answer, -0.5 * 1000.0**2 + np.log1p(np.exp(-1000.5)), rtol=1e-14)
