"""Labels and the posterior of the latent function."""

import numpy as np

from margin.gp.classification._latent import Labels, LatentPosterior
from margin.kernels import RBF
from margin.linalg import cholesky


def test_signs():
    seen = Labels(np.zeros((3, 1)), np.array([0, 2, 1]), 3)
    assert seen.n == 3
    np.testing.assert_array_equal(seen.signs(2), [-1, 1, -1])


def test_variance_is_that_of_the_inverse_formula():
    """gp.13: k(x, x) - k(x)' (K + 1/W)^-1 k(x)."""
    rng = np.random.default_rng(0)
    X, new, W = rng.normal(size=(6, 2)), rng.normal(size=(3, 2)), rng.uniform(0.1, 1, size=6)
    kernel = RBF(1.0)
    root, dual = np.sqrt(W), rng.normal(size=6)
    B = np.eye(6) + kernel(X) * root * root[:, None]
    mean, var = LatentPosterior(X, dual, root, cholesky(B)).predict(kernel, new, np.ones(3))
    cross = kernel(new, X)
    inner = np.linalg.inv(kernel(X) + np.diag(1 / W))
    np.testing.assert_allclose(mean, cross @ dual)
    np.testing.assert_allclose(var, 1 - np.einsum("ij,jk,ik->i", cross, inner, cross))
