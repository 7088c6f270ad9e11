"""Sums of kernels at support vectors."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import kernels
from margin.kernels.products._expansion import Expansion

RNG = np.random.default_rng(0)
V, X = RNG.normal(size=(6, 3)), RNG.normal(size=(9, 3))
COEF, BIAS = RNG.normal(size=(6, 2)), np.array([0.5, -1.0])
SUPPORT = np.array([0, 2, 3, 5, 7, 8])


def test_values_by_brute_force():
    """svm.13: with the bias."""
    for kernel in (kernels.RBF(1.3), kernels.Linear(), kernels.Polynomial(3)):
        function = Expansion(kernel, V, SUPPORT, COEF, BIAS)
        slow = [
            [
                sum(c * kernel(v[None], x[None])[0, 0] for c, v in zip(k, V, strict=True))
                for k in COEF.T
            ]
            for x in X
        ]
        assert_allclose(function(X), np.array(slow) + BIAS, rtol=1e-10)


def test_matrix_sparse_empty_and_single_precision():
    K = RNG.normal(size=(4, 10))
    function = Expansion(None, None, SUPPORT, COEF, BIAS)
    assert_allclose(function(K), K[:, SUPPORT] @ COEF + BIAS)
    rbf = Expansion(kernels.RBF(), V, SUPPORT, COEF, BIAS)
    thin = Expansion(kernels.RBF(), sparse.csr_array(V), SUPPORT, COEF, BIAS)
    assert_allclose(thin(sparse.csr_array(X)), rbf(X), rtol=1e-10)
    assert rbf(X.astype(np.float32)).dtype == np.float32
    nobody = Expansion(kernels.RBF(), V[:0], SUPPORT[:0], COEF[:0], BIAS)
    assert_array_equal(nobody(X), np.tile(BIAS, (9, 1)))


def test_weights_of_features():
    linear = Expansion(kernels.Linear(), V, SUPPORT, COEF, BIAS)
    assert_allclose(linear.weights(), V.T @ COEF)
    assert Expansion(kernels.RBF(), V, SUPPORT, COEF, BIAS).weights() is None
