"""Regressions in blocks of rows, against whole tables of random features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.search.structure.dependence._feature_regression import (
    feature_moments,
    residual_features,
)
from margin.search.structure.dependence._kernel_factor import median_width
from margin.search.structure.dependence._random_features import gaussian_features


def twin(X, n_features, rng):
    width = median_width(X[:500])
    frequency = rng.standard_normal((X.shape[1], n_features)) / width
    shift = rng.uniform(0, 2 * np.pi, n_features)
    F = np.sqrt(2.0 / n_features) * np.cos(X @ frequency + shift)
    return F - F.mean(axis=0)


@pytest.mark.parametrize("n", [1, 8, 600, 2048, 5001])
@pytest.mark.parametrize("given", [0, 1, 2])
def test_residuals_are_those_of_a_ridge_regression(n, given):
    X, Y, Z = (np.random.default_rng(n).normal(size=(n, p)) for p in (2, 1, max(given, 1)))
    rng, same = np.random.default_rng(1), np.random.default_rng(1)
    pair = gaussian_features(X, 6, rng), gaussian_features(Y, 5, rng)
    condition = gaussian_features(Z, 50, rng) if given else None
    A, B = residual_features(pair, condition, 1e-3)
    expected = [twin(X, 6, same), twin(Y, 5, same)]
    if given:
        C = twin(Z, 50, same)
        solve = np.linalg.inv(C.T @ C + 1e-3 * n * np.eye(50)) @ C.T
        expected = [F - C @ (solve @ F) for F in expected]
    assert_allclose(A.T, expected[0], atol=1e-12)
    assert_allclose(B.T, expected[1], atol=1e-12)


def test_constant_columns_leave_nothing():
    rng = np.random.default_rng(0)
    pair = (
        gaussian_features(np.full((3000, 1), 0.1), 5, rng),
        gaussian_features(rng.normal(size=(3000, 1)), 5, rng),
    )
    A, _ = residual_features(pair, gaussian_features(rng.normal(size=(3000, 1)), 20, rng), 1e-3)
    assert (A == 0.0).all()


@pytest.mark.parametrize("shape", [(3, 4, 5), (3, 4, 12), (3, 4, 500), (10, 10, 4100), (1, 1, 2)])
def test_moments_of_a_product(shape):
    few, other, n = shape
    rng = np.random.default_rng(n)
    A, B = rng.normal(size=(few, n)), rng.normal(size=(other, n))
    product = (A.T @ A) * (B.T @ B)
    expected = product.sum(), np.trace(product), (product**2).sum()
    assert feature_moments(A, B) == pytest.approx(expected, rel=1e-10)
