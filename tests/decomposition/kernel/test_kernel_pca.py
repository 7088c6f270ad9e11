"""Kernel PCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn import decomposition as reference
from sklearn.datasets import make_circles
from sklearn.linear_model import LogisticRegression

from margin.decomposition import PCA, KernelPCA
from margin.kernels import RBF, Spectrum

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 4))
NEW = RNG.normal(size=(7, 4))
SOLVERS = ("auto", "dense", "arpack", "randomized")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_linear_kernel_is_pca(solver, shift):
    """decomposition.12: the linear kernel gives the coordinates of PCA, also far from zero."""
    ours = KernelPCA(3, eigen_solver=solver).fit(X + shift)
    theirs = PCA(3).fit(X + shift)
    assert_allclose(
        np.abs(ours.transform(NEW + shift)), np.abs(theirs.transform(NEW + shift)), atol=1e-5
    )
    assert_allclose(ours.eigenvalues_ / 79, theirs.explained_variance_, rtol=1e-7)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid", "cosine"])
@pytest.mark.parametrize("sparse", [False, True])
def test_against_scikit_learn(kernel, sparse):
    """decomposition.12: every named kernel, new points and those of the fit."""
    settings = {"kernel": kernel, "gamma": 0.3, "degree": 2, "coef0": 0.7}
    ours = KernelPCA(3, **settings).fit(csr_array(X) if sparse else X)
    theirs = reference.KernelPCA(3, eigen_solver="dense", **settings).fit(X)
    assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    new = csr_array(NEW) if sparse else NEW
    assert_allclose(np.abs(ours.transform(new)), np.abs(theirs.transform(NEW)), atol=1e-6)
    assert_allclose(ours.fit_transform(X), ours.transform(X), atol=1e-7)


@pytest.mark.parametrize("n_components", [None, 2, 5])
@pytest.mark.parametrize("equal", [False, True])
def test_few_columns_take_the_way_of_the_rows(n_components, equal):
    """decomposition.12: linear components without the matrix of all scalar products."""
    X = np.random.default_rng(3).normal(size=(60, 4)) + 7.0
    if equal:
        X[:, 3] = X[:, 0]
    ours = KernelPCA(n_components).fit(X)
    full = KernelPCA(n_components, eigen_solver="dense").fit(X)
    assert_allclose(ours.eigenvalues_, full.eigenvalues_, atol=1e-9)
    rank = 3 if equal else 4
    if n_components is None:
        assert ours.eigenvectors_.shape == (60, rank)
    some = slice(min(rank, n_components or rank))
    assert_allclose(ours.transform(X)[:, some], full.transform(X)[:, some], atol=1e-8)
    assert_allclose(ours.fit_transform(X)[:, some], ours.transform(X)[:, some], atol=1e-8)


def test_projections_by_their_definition():
    """decomposition.12: centred scalar products with directions of unit length."""
    model = KernelPCA(3, kernel=RBF(1.5)).fit(X)
    both = np.vstack([X, NEW])
    K = RBF(1.5)(both)
    mean = np.r_[np.full(80, 1 / 80), np.zeros(7)]
    H = np.eye(87) - np.outer(np.ones(87), mean)
    inner = H @ K @ H.T
    alpha = model.eigenvectors_ / np.sqrt(model.eigenvalues_)
    assert_allclose(alpha.T @ inner[:80, :80] @ alpha, np.eye(3), atol=1e-8)
    assert_allclose(model.transform(NEW), inner[80:, :80] @ alpha, atol=1e-9)


def test_precomputed_kernels_and_functions_agree():
    settings = {"n_components": 3, "random_state": 0}
    named = KernelPCA(kernel="rbf", gamma=0.5, **settings).fit(X).transform(NEW)
    kernel = RBF.from_gamma(0.5)
    held = KernelPCA(kernel="precomputed", **settings).fit(kernel(X)).transform(kernel(NEW, X))

    def bell(x, z, width):
        return np.exp(-np.sum((x - z) ** 2) * width)

    given = KernelPCA(kernel=bell, kernel_params={"width": 0.5}, **settings).fit(X).transform(NEW)
    assert_allclose(held, named, atol=1e-8)
    assert_allclose(given, named, atol=1e-8)


def test_circles_become_separable():
    """decomposition.12: what no line divides."""
    rows, y = make_circles(200, factor=0.3, noise=0.05, random_state=0)
    Z = KernelPCA(2, kernel="rbf", gamma=2.0).fit_transform(rows)
    assert LogisticRegression().fit(rows, y).score(rows, y) < 0.7
    assert LogisticRegression(C=100).fit(Z, y).score(Z, y) == 1.0


def test_strings():
    """decomposition.12: any objects that have a kernel."""
    words = ["abab", "ababa", "baba", "zzzz", "zzz", "zzzzz"]
    model = KernelPCA(1, kernel=Spectrum(2)).fit(words)
    Z = model.fit_transform(words)[:, 0]
    assert abs(np.sign(Z[:3]).sum()) == 3
    assert np.sign(Z[0]) != np.sign(Z[4])
    assert np.sign(model.transform(["bab"])[0, 0]) == np.sign(Z[0])


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_way_back(kernel):
    """decomposition.12: rows, their mean included, are nearly recovered."""
    rows = X @ np.diag([3.0, 2.0, 0.1, 0.1]) + 10
    model = KernelPCA(
        None if kernel == "rbf" else 2,
        kernel=kernel,
        gamma=0.05,
        alpha=1e-4,
        fit_inverse_transform=True,
    )
    back = model.inverse_transform(model.fit_transform(rows))
    assert np.abs(back - rows).max() < 0.5
    from_sparse = model.fit(csr_array(rows))
    assert from_sparse.inverse_transform(from_sparse.transform(rows)).shape == rows.shape


def test_errors():
    with pytest.raises(ValueError, match="Cannot fit_inverse_transform with a precomputed kernel"):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(np.eye(3))
    with pytest.raises(ValueError, match="KernelPCA: X must be a square kernel matrix"):
        KernelPCA(kernel="precomputed").fit(X)
    with pytest.raises(ValueError, match="KernelPCA: kernel must be one of"):
        KernelPCA(kernel="gauss").fit(X)
    with pytest.raises(ValueError, match="KernelPCA: fit_inverse_transform must be False"):
        KernelPCA(kernel=Spectrum(2), fit_inverse_transform=True).fit(["ab", "abc"])
    with pytest.raises(ValueError, match="KernelPCA: n_components must be below"):
        KernelPCA(80, eigen_solver="arpack").fit(X)


def test_duplicates_and_one_row():
    twice = KernelPCA(2, kernel="rbf").fit(np.repeat(X[:5], 4, axis=0))
    assert np.isfinite(twice.transform(NEW)).all()
    assert KernelPCA(kernel="rbf").fit_transform(X[:1]).shape == (1, 0)
