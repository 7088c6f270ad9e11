"""The smoother against the dense covariance (gp.05)."""

import numpy as np
import pytest

from margin.inference import Series, matern_smoother


@pytest.mark.parametrize("jitter", [0.0, 0.3])
def test_posterior_of_the_function(process, rows, series, dense, covariance, jitter):
    x, _, data = rows
    new = np.concatenate([[7.5, -1.0], x[[3, 9]], np.linspace(0, 6, 9)])
    there = matern_smoother(process, series, new, jitter)
    cross = covariance(process, new, x)
    whole = dense + jitter * np.eye(25)
    np.testing.assert_allclose(there.mean, cross @ np.linalg.solve(whole, data), atol=1e-10)
    explained = np.einsum("ij,ji->i", cross, np.linalg.solve(whole, cross.T))
    np.testing.assert_allclose(there.var, process.variance - explained, atol=1e-10)
    inverse = np.linalg.inv(whole)[np.ix_(series.order, series.order)]
    np.testing.assert_allclose(there.solved, inverse @ series.data, atol=1e-9)
    np.testing.assert_allclose(there.inverse, np.diagonal(inverse), rtol=1e-9)


def test_order_of_new_points_does_not_matter(process, series):
    new = np.linspace(-1, 7, 12)
    order = np.random.default_rng(0).permutation(12)
    straight, mixed = (matern_smoother(process, series, p) for p in (new, new[order]))
    np.testing.assert_array_equal(mixed.mean, straight.mean[order])
    np.testing.assert_array_equal(mixed.var, straight.var[order])


def test_without_data_it_is_the_prior(process):
    nothing = Series.of(np.empty(0), np.empty(0), np.empty((0, 1)))
    there = matern_smoother(process, nothing, np.array([0.0, 1.0]))
    np.testing.assert_array_equal(there.mean, 0.0)
    np.testing.assert_allclose(there.var, process.variance)
