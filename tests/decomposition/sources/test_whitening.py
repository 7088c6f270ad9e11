import numpy as np
import pytest

from margin.decomposition.sources._whitening import whitened


@pytest.mark.parametrize("solver", ["svd", "eigh"])
def test_rows_are_white(solver):
    X = np.random.default_rng(0).normal(size=(4, 4)) @ np.random.default_rng(1).normal(size=(4, 90))
    white = whitened(X, 3, solver)
    np.testing.assert_allclose(white.rows @ white.rows.T / 90, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(white.matrix @ X, white.rows)
    assert white.small == 0


def test_directions_without_variance():
    X = np.vstack([np.arange(6.0) - 2.5] * 2)
    white = whitened(X, 2, "svd")
    assert white.small == 1
    assert not white.rows[1].any()
    assert whitened(X, 2, "eigh").small == 1
    assert not whitened(np.zeros((2, 5)), 2, "svd").rows.any()
