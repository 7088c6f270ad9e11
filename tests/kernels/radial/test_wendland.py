"""Wendland kernels (kernels.13) and their sparse matrices (kernels.25)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import Wendland, check_psd
from margin.testing import KernelContract


class TestWendland(KernelContract):
    stationary = True

    def make(self):
        smooth = [Wendland(2.0, smoothness=k) for k in (0, 2, 4, 6)]
        return [*smooth, Wendland((1.5, 3.0, 2.0), dimension=5)]


def test_known_forms():
    """Wendland's table for dimensions 1 and 3."""
    r = np.linspace(0.0, 1.2, 50)
    cut = np.maximum(1.0 - r, 0.0)
    forms = {
        (1, 0): cut,
        (1, 2): cut**3 * (3 * r + 1),
        (1, 4): cut**5 * (8 * r**2 + 5 * r + 1),
        (3, 0): cut**2,
        (3, 2): cut**4 * (4 * r + 1),
        (3, 4): cut**6 * (35 * r**2 + 18 * r + 3) / 3,
        (3, 6): cut**8 * (32 * r**3 + 25 * r**2 + 8 * r + 1),
    }
    for (dimension, smoothness), wanted in forms.items():
        kernel = Wendland(1.0, dimension=dimension, smoothness=smoothness)
        assert_allclose(kernel.profile(r**2), wanted, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("dimension", [2, 4])
def test_exponent_of_c2(dimension):
    """kernels.13: floor(D/2) + 3 is right; with floor(D/2) + 2 the same form is not definite."""
    r = 0.4
    exponent = dimension // 2 + 3
    wanted = (1 - r) ** exponent * (exponent * r + 1)
    assert_allclose(Wendland(1.0, dimension=dimension).profile(np.array([r * r])), wanted)
    X = np.random.default_rng(0).uniform(size=(60, dimension))
    assert check_psd(Wendland(0.8, dimension=dimension), X)


def test_the_printed_exponent_is_not_positive_definite():
    """(1 - r)^(floor(D/2) + 2) with the linear factor of its own exponent fails already for D = 1.

    Its spectrum at the frequency w is negative where the right one is positive.
    """
    r = np.linspace(0.0, 1.0, 4001)
    frequencies = np.linspace(0.0, 60.0, 200)

    def lowest(exponent):
        profile = (1 - r) ** exponent * (exponent * r + 1)
        values = np.trapezoid(profile * np.cos(frequencies[:, None] * r), r, axis=1)
        return values.min() / values.max()

    assert lowest(3) > -1e-6
    assert lowest(2) < -1e-4


@pytest.mark.parametrize("smoothness", [0, 2, 4, 6])
def test_sparse_matrix_is_the_dense_one(smoothness):
    """kernels.25"""
    rng = np.random.default_rng(0)
    X, Z = rng.uniform(size=(300, 2)) * 10, rng.uniform(size=(80, 2)) * 10
    kernel = Wendland((1.5, 0.8), dimension=2, smoothness=smoothness)
    thin = kernel.sparse(X)
    assert thin.nnz < 0.1 * 300**2
    assert_allclose(thin.toarray(), kernel(X), atol=1e-14)
    assert (thin != thin.T).nnz == 0
    assert_allclose(kernel.sparse(X, Z).toarray(), kernel(X, Z), atol=1e-14)


def test_stored_entries_grow_with_the_rows_not_their_square():
    """kernels.25: at constant density a row has the same number of neighbours."""
    counts = []
    for n in (500, 2000):
        X = np.random.default_rng(1).uniform(size=(n, 1)) * n
        counts.append(Wendland(3.0, dimension=1).sparse(X).nnz / n)
    assert_allclose(counts[0], counts[1], rtol=0.1)


def test_refusals():
    with pytest.raises(ValueError, match="Wendland: smoothness must be one of 0, 2, 4, 6, got 1"):
        Wendland(smoothness=1)
    with pytest.raises(ValueError, match="Wendland: dimension must be an integer of at least 1"):
        Wendland(dimension=0)
    with pytest.raises(ValueError, match=r"Wendland: X must be of at most 2 columns \(dimension\)"):
        Wendland(dimension=2)(np.zeros((1, 3)))
