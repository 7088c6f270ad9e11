"""Principal components in the dual (kernels.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA, KernelPCA

from margin.kernels import RBF, Linear, Polynomial, PolynomialFeatures, Spectrum, principal_features

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(12, 30)) * np.linspace(2, 0.1, 30) + 5, RNG.normal(size=(7, 30)) + 5


def test_the_linear_kernel_is_pca_of_the_rows():
    """kernels.01: fewer rows than columns; the same subspaces, variances and projections."""
    dual = principal_features(Linear(), X)
    _, s, vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    assert dual.n_features == 11
    assert_allclose(dual.variances, s[:11] ** 2 / 12, rtol=1e-9)
    sign = np.sign(np.sum(dual.directions().T * vt[:11], axis=1))
    assert_allclose(dual.directions().T, sign[:, None] * vt[:11], atol=1e-9)
    assert_allclose(dual(NEW), (NEW - X.mean(axis=0)) @ dual.directions(), atol=1e-9)
    peer = PCA(3).fit(X)
    assert_allclose(np.abs(dual(NEW)[:, :3]), np.abs(peer.transform(NEW)), atol=1e-9)


def test_orthogonal_inputs_have_no_effect():
    """kernels.01: what is orthogonal to all objects of the sample is not seen."""
    flat = np.zeros((4, 5))
    flat[:, :3] = RNG.normal(size=(4, 3))
    dual = principal_features(Linear(), flat)
    beside = NEW[:, :5] * [0, 0, 0, 1, 1]
    assert_allclose(dual(beside + flat[0]), dual(flat[:1]).repeat(7, axis=0), atol=1e-12)


def test_explicit_features_by_brute_force():
    """The polynomial kernel: PCA of the monomials written out."""
    table = X[:, :2] - 5
    phi = PolynomialFeatures.of(Polynomial(2, 0.5, 1.0), 2)
    rows, new = phi(table), phi(NEW[:, :2] - 5)
    dual = principal_features(Polynomial(2, 0.5, 1.0), table)
    covariance = np.cov(rows.T, bias=True)
    values, vectors = np.linalg.eigh(covariance)
    assert_allclose(dual.variances, values[::-1][: dual.n_features], rtol=1e-8)
    exact = (new - rows.mean(axis=0)) @ vectors[:, ::-1][:, : dual.n_features]
    assert_allclose(np.abs(dual(NEW[:, :2] - 5)), np.abs(exact), atol=1e-8)


@pytest.mark.parametrize("kernel", [RBF(3.0), Polynomial(3, 0.1)], ids=str)
def test_directions_are_orthonormal_and_scores_uncorrelated(kernel):
    dual = principal_features(kernel, X, 5)
    K = kernel(X)
    assert_allclose(dual.coefficients.T @ K @ dual.coefficients, np.eye(5), atol=1e-8)
    scores = dual(X)
    assert_allclose(scores.mean(axis=0), 0, atol=1e-9)
    assert_allclose(scores.T @ scores / 12, np.diag(dual.variances), atol=1e-8)


def test_agrees_with_scikit_learn():
    dual = principal_features(RBF(3.0), X, 4)
    peer = KernelPCA(4, kernel="rbf", gamma=0.5 / 9).fit(X)
    assert_allclose(np.abs(dual(NEW)), np.abs(peer.transform(NEW)), atol=1e-8)


def test_words_and_refusals():
    words = ["aab", "aba", "xyx", "xyy"]
    dual = principal_features(Spectrum(1), words, 1)
    scores = dual(words)[:, 0]
    assert len({*np.sign(scores[:2])} | {*-np.sign(scores[2:])}) == 1
    with pytest.raises(ValueError, match="PrincipalFeatures: kernel must be linear"):
        dual.directions()
    with pytest.raises(ValueError, match="principal_features: X must be at least one object"):
        principal_features(Linear(), np.zeros((0, 2)))
