"""Principal component analysis."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn import decomposition as reference
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from margin.decomposition import PCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 6)) @ np.diag([5, 4, 3, 2, 1, 0.5]) @ RNG.normal(size=(6, 6)) + 2
WIDE = X[:12].T @ RNG.normal(size=(12, 40))
SOLVERS = ("auto", "full", "covariance_eigh", "arpack", "randomized", "dual")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("table", [X, WIDE])
def test_against_scikit_learn(solver, table):
    """decomposition.02, decomposition.03, decomposition.04: every decomposition."""
    ours = PCA(3, svd_solver=solver, iterated_power=20, random_state=0).fit(table)
    theirs = reference.PCA(3, svd_solver="full").fit(table)
    for name in ("components_", "explained_variance_", "explained_variance_ratio_", "mean_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-6, atol=1e-8)
    assert_allclose(ours.noise_variance_, theirs.noise_variance_, rtol=1e-6)
    assert_allclose(ours.singular_values_, theirs.singular_values_, rtol=1e-8)
    assert_allclose(ours.transform(table), theirs.transform(table), atol=1e-6)


@pytest.mark.parametrize("m", range(1, 6))
def test_variance_and_distortion(m):
    """decomposition.02: J is the sum of the smallest eigenvalues; no other basis has less."""
    model = PCA(m).fit(X)
    values = np.linalg.eigvalsh(np.cov(X.T, bias=True))[::-1]
    back = model.inverse_transform(model.transform(X))
    distortion = np.mean(np.sum((X - back) ** 2, axis=1))
    assert_allclose(distortion, values[m:].sum(), rtol=1e-10)
    assert_allclose(model.fit_report_.objective, distortion, rtol=1e-10)
    away = X - X.mean(axis=0)
    other = np.linalg.qr(RNG.normal(size=(6, m)))[0]
    assert np.mean(np.sum((away - away @ other @ other.T) ** 2, axis=1)) > distortion


@pytest.mark.parametrize("solver", SOLVERS)
def test_weights_are_repetitions(solver):
    count = RNG.integers(0, 4, len(X))
    settings = {"svd_solver": solver, "iterated_power": 20, "random_state": 0}
    one = PCA(2, **settings).fit(X, sample_weight=count)
    many = PCA(2, **settings).fit(np.repeat(X, count, axis=0))
    assert_allclose(one.components_, many.components_, atol=1e-7)
    assert_allclose(one.explained_variance_, many.explained_variance_, rtol=1e-8)
    assert_allclose(one.mean_, many.mean_, rtol=1e-10)


@pytest.mark.parametrize("k", [2, 0.7, "mle", None])
def test_blocks_equal_the_whole(k):
    """decomposition.02: summed moments."""
    whole = PCA(k, svd_solver="covariance_eigh").fit(X)
    parts = PCA(k).fit_blocks([X[:20], X[20:21], X[21:]])
    assert parts.n_components_ == whole.n_components_
    assert_allclose(parts.components_, whole.components_, atol=1e-11)
    assert_allclose(parts.explained_variance_, whole.explained_variance_, rtol=1e-11)
    assert_allclose(parts.noise_variance_, whole.noise_variance_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("solver", ["arpack", "covariance_eigh"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse(solver, dtype, weighted):
    dense = (X * (RNG.random(X.shape) < 0.4)).astype(dtype)
    weight = RNG.uniform(0.5, 2, len(X)) if weighted else None
    held = PCA(2, svd_solver=solver, random_state=0).fit(csr_array(dense), sample_weight=weight)
    full = PCA(2, svd_solver="full").fit(dense, sample_weight=weight)
    tol = 1e-4 if dtype == np.float32 else 1e-9
    assert held.components_.dtype == dtype
    assert_allclose(held.components_, full.components_, atol=tol)
    assert_allclose(held.transform(csr_array(dense)), full.transform(dense), atol=20 * tol)


def test_share_of_variance():
    model = PCA(0.9).fit(X)
    assert model.explained_variance_ratio_.sum() > 0.9
    assert PCA(model.n_components_ - 1).fit(X).explained_variance_ratio_.sum() < 0.9


def test_large_means_cost_no_digits():
    far = PCA(3).fit(X + 1e8)
    assert_allclose(far.explained_variance_, PCA(3).fit(X).explained_variance_, rtol=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_zero_variance_and_duplicates(solver):
    table = np.repeat(np.column_stack([X[:5, 0], np.full(5, 0.1), X[:5, 1]]), 3, axis=0)
    model = PCA(2, svd_solver=solver, random_state=0).fit(table)
    assert_allclose(model.components_[:, 1], 0, atol=1e-12)
    assert np.isfinite(model.transform(table)).all()
    constant = PCA(1, svd_solver=solver).fit(np.ones((4, 3)))
    assert_allclose(constant.explained_variance_, 0)
    assert_allclose(constant.transform(np.ones((2, 3))), 0)


def test_tiny_numbers_keep_their_shares():
    shares = PCA(2).fit(X).explained_variance_ratio_
    assert_allclose(PCA(2).fit(X * 1e-157).explained_variance_ratio_, shares, rtol=1e-3)


def test_one_row_is_refused():
    with pytest.raises(ValueError, match="PCA: X must hold at least 2 samples, got 1 sample"):
        PCA().fit([[1.0, 2.0]])
    with pytest.raises(ValueError, match="PCA: sample_weight must be of a sum above 1"):
        PCA().fit(X, sample_weight=np.full(len(X), 1e-3))


def test_canonical_variates_are_principal_components_of_class_means():
    """decomposition.02: weighted PCA of class means, whitened within classes, spans the LDA."""
    y = np.repeat([0, 1, 2], 30)
    rows = X + 3.0 * RNG.normal(size=(3, 6))[y]
    means = np.array([rows[y == k].mean(axis=0) for k in range(3)])
    within = np.cov((rows - means[y]).T, bias=True)
    root = np.linalg.cholesky(np.linalg.inv(within))
    axes = PCA(2).fit(means @ root, sample_weight=[30, 30, 30]).components_
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(rows, y).scalings_[:, :2]
    ours = root @ axes.T
    for left, right in zip(ours.T, theirs.T, strict=True):
        cosine = left @ right / np.linalg.norm(left) / np.linalg.norm(right)
        assert_allclose(abs(cosine), 1, rtol=1e-8)


def test_random_state_repeats():
    one, two = (PCA(2, svd_solver="randomized", random_state=3).fit(X) for _ in range(2))
    assert (one.components_ == two.components_).all()
