"""Orders of rows that depend on what the rows hold, not on where they are stored."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]


def row_keys(X: Any, n_threads: int = 1) -> tuple[Keys, Floats]:
    """A pseudo-random number and the squared norm of every row of a C-ordered or CSR matrix.

    Equal rows have equal numbers, dense or sparse, in single or double precision; rows that are
    equal in single precision only cannot be told apart by them.
    """
    keys, squares = np.empty(X.shape[0], dtype=np.uint64), np.empty(X.shape[0])
    if isinstance(X, np.ndarray):
        _native.row_keys_dense(X, keys, squares, n_threads)
    else:
        _native.row_keys_sparse(X.indptr, X.indices, X.data, keys, squares)
    return keys, squares


def shuffled(order: NDArray[np.int64], seed: int, block: int = 1) -> NDArray[np.int64]:
    """A copy of ``order`` in a random order that depends on the seed (64 bits) alone.

    Blocks of neighbours stay neighbours, in random places and with their rows in random order: an
    order that memory can keep up with.
    """
    shuffled = order.copy()
    _native.shuffle_rows(shuffled, block, seed & 0xFFFFFFFFFFFFFFFF)
    return shuffled
