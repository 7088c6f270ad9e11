"""Kernel matrices and memory."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.kernels import RBF, Constant, Linear, apply, row_blocks
from margin.kernels._memory import refuse_beyond_memory

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(50, 3)), rng.normal(size=(20, 3))


def test_a_matrix_that_cannot_fit_is_refused_before_any_work():
    """Rows without columns cost nothing, their matrix would."""
    huge = np.empty((10_000_000, 0))
    with pytest.raises(
        MemoryError, match=r"RBF: a matrix of 10000000 by 10000000 needs .* GiB and"
    ):
        RBF()(huge)
    refuse_beyond_memory(RBF(), 10, 10, np.float64)


@pytest.mark.parametrize("n_bytes", [1, 1000, 10**9])
def test_blocks_make_up_the_matrix(n_bytes):
    whole = np.full((50, 20), np.nan)
    for part, block in row_blocks(RBF(1.2), X, Z, n_bytes=n_bytes):
        assert block.nbytes <= max(n_bytes, 20 * 8)
        whole[part] = block
    assert_allclose(whole, RBF(1.2)(X, Z), rtol=1e-12)


@pytest.mark.parametrize("n_bytes", [1, 1000, 10**9])
def test_product_without_the_matrix(n_bytes):
    """kernels.01: f = sum a_i k(x_i, ·), one function or several."""
    for alpha in (rng.normal(size=20), rng.normal(size=(20, 2))):
        wanted = RBF(1.2)(X, Z) @ alpha
        assert_allclose(apply(RBF(1.2), X, Z, alpha, n_bytes=n_bytes), wanted, rtol=1e-11)
    table = sparse.csr_array(X)
    assert_allclose(apply(Linear(), table, Z, alpha, n_bytes=n_bytes), X @ Z.T @ alpha, rtol=1e-9)


def test_no_rows_and_other_objects():
    assert apply(RBF(), X[:0], Z, np.ones((20, 2))).shape == (0, 2)
    assert_allclose(apply(Constant(2.0), ["a", "b"], ["c"], [3.0]), [6.0, 6.0])


def test_refusals():
    with pytest.raises(ValueError, match="apply: coefficients must be of 20 rows"):
        apply(RBF(), X, Z, np.ones(3))
    with pytest.raises(ValueError, match="row_blocks: n_bytes must be"):
        next(row_blocks(RBF(), X, Z, n_bytes=0))
