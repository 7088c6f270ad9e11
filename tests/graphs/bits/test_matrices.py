import numpy as np
import pytest

from margin.graphs.bits._matrices import matrix_of_rows, rows_of_matrix


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 0), (5, 8), (7, 64), (9, 65), (4, 200)])
def test_there_and_back(shape):
    matrix = (np.random.default_rng(shape).random(shape) < 0.4).astype(np.uint8)
    rows = rows_of_matrix(matrix)
    assert rows == [sum(1 << int(j) for j in np.flatnonzero(row)) for row in matrix]
    np.testing.assert_array_equal(matrix_of_rows(rows, shape[1]), matrix)


def test_what_is_not_zero_counts():
    assert rows_of_matrix(np.array([[0.0, -2.0, np.nan]])) == [0b110]
