"""Shapley values of a packed forest: what the compiled loop itself refuses."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native.trees.explanation import explain_forest
from margin.search import Forest


@pytest.fixture
def stump():
    return Forest.of_tree(
        n_features=2,
        feature=[1, -1, -1],
        threshold=[0.5, np.nan, np.nan],
        left=[1, -1, -1],
        right=[2, -1, -1],
        value=[[0.0], [-1.0], [3.0]],
        cover=[4.0, 3.0, 1.0],
    )


NONE = np.empty((0, 2))


def test_a_stump_by_hand(stump):
    out = np.zeros((2, 3))
    X = np.array([[9.0, 0.0], [9.0, 1.0]])
    explain_forest(stump.packed, stump.cover, X, NONE, False, out, 1)
    # Expected: -1 * 3/4 + 3 * 1/4 = 0.
    assert_allclose(out, [[0.0, -1.0, 0.0], [0.0, 3.0, 0.0]])


def test_out_is_added_to(stump):
    out = np.ones((1, 3))
    explain_forest(stump.packed, stump.cover, np.zeros((1, 2)), NONE, False, out, 1)
    assert_allclose(out, [[1.0, 0.0, 1.0]])


def test_empty_input(stump):
    explain_forest(stump.packed, stump.cover, NONE, NONE, False, np.zeros((0, 3)), 2)


@pytest.mark.parametrize(
    ("columns", "cover", "cells", "text"),
    [
        (3, 3, 3, "another number of columns"),
        (2, 2, 3, "cover must have one number per node"),
        (2, 3, 4, "out must have a cell per feature"),
    ],
)
def test_shapes_are_checked(stump, columns, cover, cells, text):
    with pytest.raises(ValueError, match=text):
        explain_forest(
            stump.packed,
            np.ones(cover),
            np.zeros((1, columns)),
            NONE,
            False,
            np.zeros((1, cells)),
            1,
        )
