"""Structural faults of sparse matrices, made one at a time."""

import numpy as np
import pytest
from scipy import sparse

from margin.core.rows._sparse_structure import plain_format, structural_fault

DENSE = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 4.0], [5.0, 0.0, 0.0]])
TABLES = (DENSE, np.zeros((3, 2)))
EMPTY = (np.zeros((0, 4)), np.zeros((4, 0)))


@pytest.mark.parametrize(
    ("kind", "table"),
    [(kind, table) for kind in ("csr", "csc", "coo", "lil", "dok") for table in (*TABLES, *EMPTY)]
    + [(kind, table) for kind in ("bsr", "dia") for table in TABLES],
)
def test_sound_matrices_pass(kind, table):
    matrix = plain_format(sparse.csr_array(table).asformat(kind))
    assert structural_fault(matrix) is None
    np.testing.assert_array_equal(matrix.toarray(), table)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(
    ("kind", "across", "most"),
    [("csr", "column", 2), ("csc", "row", 3), ("bsr", "block column", 2)],
)
@pytest.mark.parametrize("index", [99, -1])
def test_an_index_out_of_range(kind, across, most, index, dtype):
    matrix = sparse.csr_array(DENSE)
    matrix = matrix.tobsr((1, 1)) if kind == "bsr" else matrix.asformat(kind)
    matrix.indices = matrix.indices.astype(dtype)
    matrix.indices[-1] = index
    need = f"a sparse matrix with {across} indices from 0 to {most}"
    assert structural_fault(matrix) == (need, index)


@pytest.mark.parametrize(("axis", "name", "most"), [(0, "row", 3), (1, "column", 2)])
def test_a_coordinate_out_of_range(axis, name, most):
    matrix = sparse.coo_array(DENSE)
    matrix.coords[axis][0] = most + 1
    need = f"a sparse matrix with {name} indices from 0 to {most}"
    assert structural_fault(matrix) == (need, most + 1)


def test_coordinates_that_are_too_few():
    matrix = sparse.coo_array(DENSE)
    matrix.coords = (matrix.coords[0][1:], matrix.coords[1])
    assert structural_fault(matrix) == ("a sparse matrix with 5 row indices", 4)


@pytest.mark.parametrize(
    ("change", "words", "value"),
    [
        ({"indptr": [0, 2, 2, 4]}, "an indptr of length 5", 4),
        ({"indptr": [1, 2, 2, 4, 5]}, "starts at 0", 1),
        ({"indptr": [0, 2, 1, 4, 5]}, "never falls", -1),
        ({"indptr": [0, 2, 2, 4, 6]}, "for each of 5 of data", 6),
        ({"indices": [0, 2, 1, 2]}, "for each of 5 of data", 4),
        ({"data": [1.0, 2.0]}, "for each of 2 of data", 5),
    ],
)
def test_arrays_that_contradict_each_other(change, words, value):
    matrix = sparse.csr_array(DENSE)
    for name, values in change.items():
        setattr(matrix, name, np.array(values, dtype=getattr(matrix, name).dtype))
    need, got = structural_fault(matrix)
    assert words in need
    assert got == value


def test_lists_are_looked_into():
    matrix = sparse.lil_array(DENSE)
    matrix.rows[0][1] = 8
    assert structural_fault(plain_format(matrix))[1] == 8
