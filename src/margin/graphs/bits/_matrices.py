"""Rows of bits as a matrix, and back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def matrix_of_rows(rows: Sequence[int], n_columns: int) -> NDArray[np.uint8]:
    """Matrix with 1 at (i, j) where bit j of row i is set.

    Examples
    --------
    >>> matrix_of_rows([0b110, 0b001], 3).tolist()
    [[0, 1, 1], [1, 0, 0]]
    """
    width = max(1, -(-n_columns // 8))
    packed = np.frombuffer(b"".join([row.to_bytes(width, "little") for row in rows]), np.uint8)
    table = packed.reshape(len(rows), width)
    return np.unpackbits(table, axis=1, count=n_columns, bitorder="little")


def rows_of_matrix(matrix: NDArray[np.generic]) -> list[int]:
    """Bit sets of the entries of each row that are not zero.

    Examples
    --------
    >>> rows_of_matrix(np.array([[0, 1, 1], [1, 0, 0]]))
    [6, 1]
    """
    packed = np.packbits(matrix != 0, axis=1, bitorder="little")
    width, data = packed.shape[1], packed.tobytes()
    return [int.from_bytes(data[i * width : (i + 1) * width], "little") for i in range(len(packed))]
