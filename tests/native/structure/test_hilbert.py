"""Kernels of rows and their centred products against NumPy."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from margin.native import _native
from margin.native.structure.hilbert import centred_products, gaussian_triangle


def table(d, n, seed):
    return np.random.default_rng(seed).normal(size=(d, n))


def kernel_of(X, width):
    return np.exp(-squareform(pdist(X.T, "sqeuclidean")) / (2 * width**2))


def centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


@pytest.mark.parametrize(("d", "n"), [(1, 2), (1, 31), (3, 32), (2, 33), (7, 200), (1, 517)])
def test_kernel_and_means(d, n):
    X = table(d, n, d + n)
    kernel, means = gaussian_triangle(X, 0.7, 1)
    truth = kernel_of(X, 0.7)
    np.testing.assert_allclose(kernel, truth[np.tril_indices(n, -1)], rtol=1e-13, atol=1e-300)
    np.testing.assert_allclose(means, truth.mean(axis=0), rtol=1e-13)


@pytest.mark.parametrize("n", [2, 33, 300])
def test_products(n):
    X, Y = table(1, n, n), table(4, n, n + 1)
    K, L = centred(kernel_of(X, 1.0)), centred(kernel_of(Y, 2.0))
    total, squares = centred_products(
        *gaussian_triangle(X, 1.0, 1), *gaussian_triangle(Y, 2.0, 1), 1
    )
    product = K * L
    np.testing.assert_allclose(total, product.sum(), atol=1e-12 * n)
    np.testing.assert_allclose(squares, (product**2).sum() - (np.diag(product) ** 2).sum())


def test_degenerate_tables():
    kernel, means = gaussian_triangle(np.full((1, 40), 2.0), 1.0, 1)
    assert (kernel == 1.0).all()
    assert (means == 1.0).all()
    np.testing.assert_allclose(centred_products(kernel, means, kernel, means, 1), 0.0, atol=1e-20)
    for n in (0, 1):
        empty, own = gaussian_triangle(np.ones((1, n)), 1.0, 1)
        assert len(empty) == 0
        assert len(own) == n
    X = table(1, 50, 1)
    X[0, 7] = np.nan
    kernel, means = gaussian_triangle(X, 1.0, 1)
    assert np.isnan(means).all()
    assert np.isnan(kernel).sum() == 49


def test_threads_change_nothing():
    X, Y = table(2, 301, 0), table(1, 301, 1)
    before = _native.set_least_work(0.0)
    try:
        answers = []
        for threads in (1, 3):
            K, L = gaussian_triangle(X, 1.0, threads), gaussian_triangle(Y, 1.0, threads)
            answers.append((K[1].tobytes(), centred_products(*K, *L, threads)))
        assert answers[0] == answers[1]
    finally:
        _native.set_least_work(before)


def test_lengths_are_checked():
    kernel, means = gaussian_triangle(table(1, 5, 0), 1.0, 1)
    with pytest.raises(ValueError, match="different length"):
        centred_products(kernel[1:], means, kernel, means, 1)
    with pytest.raises(ValueError, match="different length"):
        _native.gaussian_triangle(table(1, 5, 0), 1.0, kernel[1:], means, 1)
