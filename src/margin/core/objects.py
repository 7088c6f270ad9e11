"""Sets of objects: the rows of a table, dense or sparse, or the items of a list.

Examples
--------
>>> from margin.core import objects
>>> objects.count([[1.0], [2.0]])
2
"""

from typing import Any

import numpy as np
from scipy.sparse import issparse


def count(X: Any) -> int:
    """Number of objects: rows of a table, or items of a list.

    Examples
    --------
    >>> count(np.zeros((3, 2))), count(["a", "b"])
    (3, 2)
    """
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def take(X: Any, rows: Any) -> Any:
    """Some of the objects, in the order asked for.

    Examples
    --------
    >>> take(["a", "b", "c"], [2, 0])
    ['c', 'a']
    """
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def precision(X: Any) -> type[np.floating[Any]]:
    """float32 for float32 tables, else float64."""
    return np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64


def unpacked(X: Any) -> Any:
    """A sparse table that is so full that an array takes less memory, as that array.

    An entry of compressed rows needs its column besides its value.

    Examples
    --------
    >>> from scipy.sparse import csr_array, issparse
    >>> issparse(unpacked(csr_array(np.ones((3, 2))))), issparse(unpacked(csr_array(np.eye(3))))
    (False, True)
    """
    if not issparse(X):
        return X
    entry = X.dtype.itemsize + X.indices.itemsize
    full = X.nnz * entry >= X.shape[0] * X.shape[1] * X.dtype.itemsize
    return X.toarray() if full else X
