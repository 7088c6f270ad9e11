import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist
from scipy.stats import chi2, kstest

from margin.linalg import cholesky, mahalanobis


def test_equals_the_form_with_an_inverse(definite):
    """linalg.17: point-point and point-mean."""
    rng = np.random.default_rng(0)
    S, X, Z = definite(3, 1), rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    expected = cdist(X, Z, "mahalanobis", VI=np.linalg.inv(S))
    assert_allclose(mahalanobis(X, Z, S), expected)
    assert_allclose(mahalanobis(X, Z[0], S), expected[:, 0])
    assert_allclose(mahalanobis(X, Z, cholesky(S)), expected)


def test_identity_covariance_is_the_euclidean_distance():
    assert mahalanobis([[3.0, 4.0]], [0.0, 0.0], np.eye(2)) == pytest.approx(5)


def test_unchanged_by_an_affine_map_of_the_data(definite):
    rng = np.random.default_rng(1)
    X, Z, S = rng.normal(size=(6, 3)), rng.normal(size=(2, 3)), definite(3, 2)
    M, shift = definite(3, 3), rng.normal(size=3)
    moved = mahalanobis(X @ M.T + shift, Z @ M.T + shift, M @ S @ M.T)
    assert_allclose(moved, mahalanobis(X, Z, S), rtol=1e-9)


def test_squared_distance_to_the_mean_of_a_gaussian_is_chi_squared(definite):
    """linalg.17: Kolmogorov-Smirnov test at a fixed seed."""
    rng, S = np.random.default_rng(2), definite(4, 5)
    X = rng.multivariate_normal(np.full(4, 100.0), S, size=2000)
    assert kstest(mahalanobis(X, np.full(4, 100.0), S) ** 2, chi2(4).cdf).pvalue > 0.01


def test_far_from_the_origin_no_digits_are_lost(definite):
    S, X = definite(2, 0), np.array([[1.0, 2.0], [3.0, -1.0]])
    near = mahalanobis(X, X[:1], S)
    assert_allclose(mahalanobis(X + 2.0**40, X[:1] + 2.0**40, S), near, rtol=1e-9)
