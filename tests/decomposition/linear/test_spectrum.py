"""All decompositions of a table give the same axes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition._blocks import moments
from margin.decomposition.linear._centred_table import centred_table
from margin.decomposition.linear._spectrum import (
    by_dual,
    by_lanczos,
    by_random_range,
    by_svd,
    from_moments,
)

RNG = np.random.default_rng(0)


def _engines(X, weight, k):
    total = float(len(X)) if weight is None else float(weight.sum())
    table = centred_table(X, weight)

    def rng():
        return np.random.default_rng(0)

    yield from_moments(moments(X, weight), k)
    yield by_dual(table, total, k, rng())
    yield by_lanczos(table, total, k, 0.0, rng())
    for normalizer in ("QR", "LU", "none", "auto"):
        yield by_random_range(
            table, total, k, n_iter=9, n_oversamples=8, normalizer=normalizer, rng=rng()
        )


@pytest.mark.parametrize("shape", [(80, 12), (12, 80), (200, 6)])
@pytest.mark.parametrize("weighted", [False, True])
def test_engines_agree(shape, weighted):
    """decomposition.02, decomposition.03, decomposition.04: covariance, SVD and dual."""
    X = RNG.normal(size=shape) * np.linspace(3, 0.2, shape[1]) ** 2
    weight = RNG.uniform(0.2, 2, shape[0]) if weighted else None
    exact = by_svd(centred_table(X, weight), 1.0)
    for found in _engines(X, weight, 3):
        assert_allclose(found.squares, exact.squares[:3], rtol=1e-6)
        assert_allclose(found.axes, exact.axes[:3], atol=1e-5)
        assert_allclose(found.total, exact.total, rtol=1e-10)


def test_dual_by_krylov():
    """decomposition.04: many rows, fewer than columns, take the iterative way."""
    X = RNG.normal(size=(150, 400)) @ np.diag(0.95 ** np.arange(400))
    table = centred_table(X, None)
    found = by_dual(table, 150.0, 4, np.random.default_rng(0))
    exact = by_svd(table, 150.0)
    assert found.search is not None
    assert_allclose(found.axes, exact.axes[:4], atol=1e-7)


def test_dual_of_rank_lost_has_orthonormal_axes():
    """decomposition.04: axes that no row has are chosen, not divided by zero."""
    X = np.outer(np.arange(6.0), np.arange(20.0))
    found = by_dual(centred_table(X, None), 6.0, 4, np.random.default_rng(0))
    assert_allclose(found.axes @ found.axes.T, np.eye(4), atol=1e-10)
    assert_allclose(found.squares[1:], 0, atol=1e-8)
