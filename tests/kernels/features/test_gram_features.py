"""Features from kernel matrices, and eigenfunctions (kernels.23)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, Polynomial, gram_features, mercer

X = np.random.default_rng(0).normal(size=(30, 2))


def test_factor_of_the_matrix():
    """kernels.23: K = B B', and as many features as the kernel has."""
    K = Polynomial(2)(X)
    factor = gram_features(K)
    assert factor.features.shape == (30, 6)
    assert_allclose(factor.features @ factor.features.T, K, atol=1e-11)
    assert factor.residual < 1e-11
    crossed = factor.features.T @ factor.features
    assert_allclose(crossed, np.diag(factor.singular_values**2), atol=1e-9)


def test_the_best_of_a_given_rank():
    K = RBF(1.0)(X)
    factor = gram_features(K, 5)
    values = np.linalg.eigvalsh(K)[::-1]
    error = np.linalg.norm(K - factor.features @ factor.features.T)
    assert_allclose(error, np.linalg.norm(values[5:]), rtol=1e-10)


def test_no_features_without_definiteness():
    with pytest.raises(ValueError, match="gram_features: K must be positive semi-definite"):
        gram_features([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="gram_features: K must be a square matrix"):
        gram_features([1.0])


def test_eigenfunctions_are_orthonormal_on_the_sample_and_rebuild_the_kernel():
    expansion = mercer(RBF(1.0), X)
    phi = expansion.functions(X)
    assert_allclose(phi.T @ phi / 30, np.eye(phi.shape[1]), atol=1e-5)
    assert_allclose((phi * expansion.eigenvalues) @ phi.T, RBF(1.0)(X), atol=1e-6)
    features = expansion(X[:4])
    assert_allclose(features @ features.T, RBF(1.0)(X[:4]), atol=1e-6)


def test_eigenvalues_of_a_known_operator():
    """x z on the uniform distribution of (-1, 1): one eigenvalue, the variance 1/3."""
    line = np.linspace(-1, 1, 401)[:, None]
    expansion = mercer(Linear(), line)
    assert_allclose(expansion.eigenvalues, [1 / 3], rtol=1e-2)
