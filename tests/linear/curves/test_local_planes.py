"""Kernels and local planes (linear.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear.curves._local_planes import kernel_weights, plane_smoothers, plane_values


def sample(n=30, p=2, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p))
    return rows, rng.normal(size=n), rng.normal(size=(5, p)), rng.random((5, n))


def test_kernels_at_their_landmarks():
    """linear.06: one at the centre, zero from one on, but for the Gaussian."""
    u = np.array([0.0, 0.5, 1.0, 3.0])
    assert_allclose(kernel_weights("tricube", u), [1.0, 0.669921875, 0.0, 0.0])
    assert_allclose(kernel_weights("epanechnikov", u), [1.0, 0.75, 0.0, 0.0])
    assert_allclose(kernel_weights("gaussian", u), np.exp(-(u**2) / 2))


def test_values_are_weighted_least_squares():
    """linear.06: one general solve per query."""
    rows, target, queries, weight = sample()
    for q, w, value in zip(
        queries, weight, plane_values(queries, rows, target, weight), strict=True
    ):
        A = np.sqrt(w)[:, None] * np.column_stack([np.ones(30), rows - q])
        assert_allclose(value, np.linalg.lstsq(A, np.sqrt(w) * target)[0][0], rtol=1e-9)


@pytest.mark.parametrize("p", [1, 2, 4])
def test_smoothers_times_targets_are_the_values(p):
    """linear.06: for any target; constants and planes are kept as they are."""
    rows, target, queries, weight = sample(p=p)
    rows[:, 0] = np.where(np.arange(30) < 15, rows[:, 0], 2.0)
    L = plane_smoothers(queries, rows, weight)
    assert_allclose(L @ target, plane_values(queries, rows, target, weight), rtol=1e-8)
    assert_allclose(L.sum(axis=1), 1.0)
    assert_allclose(L @ rows, queries, atol=1e-9)


def test_flat_directions_have_no_slope():
    """linear.06: rows without spread give their mean."""
    rows, target = np.ones((4, 2)), np.arange(4.0)
    queries, weight = np.array([[5.0, 5.0]]), np.ones((1, 4))
    assert_allclose(plane_values(queries, rows, target, weight), 1.5)
    assert_allclose(plane_smoothers(queries, rows, weight), 0.25)
