"""Truncated kernels (kernels.14)."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, Matern, Truncated, check_psd
from margin.testing import KernelContract


class TestTruncated(KernelContract):
    stationary = True
    definite = False

    def make(self):
        return [Truncated(RBF(0.8), 2.0), Truncated(Matern((1.0, 0.5, 2.0)), 1.5)]


def test_zero_beyond_the_radius_and_unchanged_within():
    X = np.linspace(0.0, 10.0, 41)[:, None]
    cut, whole = Truncated(RBF(2.0), 1.5)(X), RBF(2.0)(X)
    far = np.abs(np.subtract.outer(X[:, 0], X[:, 0])) > 3.0
    assert (cut[far] == 0.0).all()
    assert (cut[~far] == whole[~far]).all()


def test_entries_and_stored_pairs_by_brute_force():
    """kernels.14: pair by pair, each column in its own unit, dense and sparse."""
    rng = np.random.default_rng(0)
    X, Z = rng.uniform(-3, 3, size=(25, 2)), rng.uniform(-3, 3, size=(31, 2))
    scales, radius = (1.0, 0.5), 2.2
    kernel = Truncated(RBF(scales), radius)
    wanted, stored = np.zeros((25, 31)), 0
    for i, x in enumerate(X):
        for j, z in enumerate(Z):
            r = math.hypot((x[0] - z[0]) / scales[0], (x[1] - z[1]) / scales[1])
            if r <= radius:
                wanted[i, j] = math.exp(-0.5 * r * r)
                stored += 1
    assert 0 < stored < 25 * 31 / 2
    assert_allclose(kernel(X, Z), wanted, rtol=1e-12)
    assert kernel.sparse(X, Z).nnz == stored
    assert_allclose(kernel.sparse(X, Z).toarray(), wanted, rtol=1e-12)
    assert_allclose(kernel.sparse(X).toarray(), kernel(X), rtol=1e-12)


def test_the_border_belongs_to_the_support():
    kernel = Truncated(Matern(2.0, nu=0.5), 1.5)
    at = kernel([[0.0]], [[3.0], [np.nextafter(3.0, 4.0)]])[0]
    assert_allclose(at, [math.exp(-1.5), 0.0], rtol=1e-14)


@pytest.mark.parametrize("radius", [1.0, 2.0, 3.0])
def test_how_much_definiteness_is_lost_in_closed_form(radius):
    """kernels.14: on a ring the eigenvalues are the cosine sums of the values, some below zero."""
    n, step = 64, 0.25
    lags = np.minimum(np.arange(n), n - np.arange(n)) * step
    kernel = Truncated(RBF(1.0), radius)
    values = kernel([[0.0]], lags[:, None])[0]
    ring = values[np.subtract.outer(np.arange(n), np.arange(n)) % n]
    waves = np.cos(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    assert_allclose(np.linalg.eigvalsh(ring), np.sort(waves @ values), atol=1e-10)
    assert (waves @ values).min() < 0
    # The same sums bound the matrix of a line, which comes near them when it is long.
    line = np.linalg.eigvalsh(kernel(np.arange(400.0)[:, None] * step))
    frequencies = np.linspace(0, np.pi, 20_001)
    steps = np.arange(1, int(radius / step) + 1)
    symbol = 1 + 2 * np.cos(np.outer(frequencies, steps)) @ np.exp(-0.5 * (steps * step) ** 2)
    assert symbol.min() <= line[0] + 1e-10
    assert_allclose(line[0], symbol.min(), rtol=0.02)
    verdict = check_psd(kernel, np.arange(400.0)[:, None] * step)
    assert_allclose(verdict.eigenvalue, line[0], rtol=1e-8)


def test_it_may_lose_positive_definiteness():
    """kernels.14: the whole kernel is definite, the truncated one is not."""
    X = np.linspace(0.0, 6.0, 40)[:, None]
    assert check_psd(RBF(1.0), X)
    assert not check_psd(Truncated(RBF(1.0), 1.0), X)
    assert_allclose(Truncated(RBF(1.0), 1e3)(X), RBF(1.0)(X))


def test_refusals():
    with pytest.raises(ValueError, match="Truncated: kernel must be a radial kernel"):
        Truncated(Linear())
    with pytest.raises(ValueError, match="Truncated: radius must be a number above 0"):
        Truncated(RBF(), 0.0)
