"""Sums over common fragments, on arrays written by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native.kernels.pairs import ALL, DIAGONAL, LOWER
from margin.native.kernels.tree_kernels import fragment_sums

# (S (A a) (A a)) and (S (A a) (A b)): children first, rules S -> A A = 0, A -> a = 1, A -> b = 2.
TREES = (
    np.array([0, 5, 10]),
    np.array([0, 0, 1, 1, 2, 4, 4, 5, 5, 6, 8]),
    np.array([0, 2, 1, 3, 5, 7, 6, 8], dtype=np.int32),
    np.array([-1, 1, -1, 1, 0, -1, 1, -1, 2, 0], dtype=np.int32),
)


def by_hand(x):
    """C(S, S) = x (1 + x)^2 with itself and x (1 + x) across; A matches 4 and 2 times."""
    return [[x * (1 + x) ** 2 + 4 * x, x * (1 + x) + 2 * x], [0, x * (1 + x) ** 2 + 2 * x]]


def test_by_hand():
    values, slopes = fragment_sums(TREES, 2, 0, 0.5, ALL, True, 1)
    wanted = np.array(by_hand(0.5))
    wanted[1, 0] = wanted[0, 1]
    assert_allclose(values, wanted, rtol=1e-15)
    h = 1e-6
    numeric = np.subtract(by_hand(0.5 * np.exp(h)), by_hand(0.5 * np.exp(-h))) / (2 * h)
    assert_allclose(np.triu(slopes), numeric, rtol=1e-8, atol=1e-12)
    lower, _ = fragment_sums(TREES, 2, 0, 0.5, LOWER, False, 2)
    diagonal, _ = fragment_sums(TREES, 2, 0, 0.5, DIAGONAL, False, 1)
    assert_array_equal(lower, values)
    assert_array_equal(diagonal[:, 0], np.diagonal(values))


def test_nothing_outside_is_read():
    offsets, indptr, children, rules = TREES
    late = children.copy()
    late[0] = 4
    with pytest.raises(ValueError, match="children must come first"):
        fragment_sums((offsets, indptr, late, rules), 2, 0, 0.5, LOWER, False, 1)
    wide = rules.copy()
    wide[1] = 0
    with pytest.raises(ValueError, match="one rule of two widths"):
        fragment_sums((offsets, indptr, children, wide), 2, 0, 0.5, LOWER, False, 1)
