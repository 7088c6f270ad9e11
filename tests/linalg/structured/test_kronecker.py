from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.linalg import kronecker


@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=4), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=50)
def test_axis_by_axis_equals_the_dense_tensor_product(definite, shape, seed):
    """linalg.11: on the full grid, with numpy.kron as the dense truth."""
    terms = [definite(n, seed + j) for j, n in enumerate(shape)]
    y = np.random.default_rng(seed).normal(size=shape)
    K = reduce(np.kron, terms)
    grid = kronecker(terms)
    expected = np.linalg.solve(K, y.ravel()).reshape(shape)
    assert_allclose(grid.solve(y), expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())
    assert_allclose(grid.product(y), (K @ y.ravel()).reshape(shape), rtol=1e-9, atol=1e-9)
    assert_allclose(grid.log_det, np.linalg.slogdet(K)[1], atol=1e-7)
    assert grid.repairs == ()


def test_large_grid_that_could_not_be_formed(definite):
    terms = [definite(60, 0), definite(50, 1), definite(40, 2)]
    grid = kronecker(terms)
    y = np.random.default_rng(3).normal(size=(60, 50, 40))
    assert_allclose(grid.product(grid.solve(y)), y, atol=1e-6)


def test_singular_term_is_mended_and_named():
    grid = kronecker([np.eye(2), np.ones((3, 3))])
    assert len(grid.repairs) == 1
    assert "Kronecker term 1" in grid.repairs[0]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="at least 1 matrix"):
        kronecker([])
    with pytest.raises(ValueError, match=r"must have shape \(2, 3\), got \(6,\)"):
        kronecker([np.eye(2), np.eye(3)]).solve(np.ones(6))


def test_repr():
    assert repr(kronecker([np.eye(2), np.eye(3)])) == "Kronecker(2 x 3)"
