"""Whether the arrays of a sparse matrix fit each other.

SciPy does not look at the indices of a matrix that is built from its three arrays, and compiled
loops follow them wherever they point: one that is out of range ends the process.
"""

from typing import Any

import numpy as np

from margin.core.types import Array

# What is wrong with a matrix: the requirement and the value that breaks it.
Fault = tuple[str, object]


def plain_format(X: Any) -> Any:
    """A matrix whose indices are arrays: lists become compressed rows.

    A dictionary of entries stays, for SciPy looks at its keys whenever it is converted.
    """
    return X.tocsr() if X.format == "lil" else X


def structural_fault(X: Any) -> Fault | None:
    """What is wrong with a sparse matrix of two dimensions, or ``None``.

    Examples
    --------
    >>> from scipy import sparse
    >>> X = sparse.csr_array(np.eye(3))
    >>> structural_fault(X)
    >>> X.indices[1] = 7
    >>> structural_fault(X)
    ('a sparse matrix with column indices from 0 to 2', 7)

    Notes
    -----
    One pass over the indices and one over the pointers.
    """
    if X.format == "coo":
        for name, index, size in zip(("row", "column"), X.coords, X.shape, strict=True):
            if len(index) != len(X.data):
                return f"a sparse matrix with {len(X.data)} {name} indices", len(index)
            outside = _outside(index, size)
            if outside is not None:
                return f"a sparse matrix with {name} indices from 0 to {size - 1}", outside
        return None
    if X.format not in ("csr", "csc", "bsr"):
        return None
    return _compressed_fault(X)


def _compressed_fault(X: Any) -> Fault | None:
    """What is wrong with compressed rows, columns or blocks."""
    lines, entries = X.shape
    across = "column"
    if X.format == "csc":
        lines, entries, across = entries, lines, "row"
    elif X.format == "bsr":
        height, width = X.blocksize
        lines, entries, across = lines // height, entries // width, "block column"
    pointer, index, stored = X.indptr, X.indices, len(X.data)
    if pointer.shape != (lines + 1,):
        return f"a sparse matrix with an indptr of length {lines + 1}", len(pointer)
    if pointer[0] != 0:
        return "a sparse matrix with an indptr that starts at 0", int(pointer[0])
    if (pointer[1:] < pointer[:-1]).any():
        return "a sparse matrix with an indptr that never falls", int(np.diff(pointer).min())
    if pointer[-1] != stored or len(index) != stored:
        wrong = int(pointer[-1]) if pointer[-1] != stored else len(index)
        return f"a sparse matrix with an entry of indices for each of {stored} of data", wrong
    outside = _outside(index, entries)
    if outside is not None:
        return f"a sparse matrix with {across} indices from 0 to {entries - 1}", outside
    return None


def _outside(index: Array, size: int) -> int | None:
    """An index that is not from 0 to ``size - 1``, if there is one."""
    if not len(index):
        return None
    # A negative index is a huge one without its sign: one pass finds both.
    largest = int(index.view(f"u{index.itemsize}").max())
    if largest < size:
        return None
    return int(index.max()) if index.max() >= size else int(index.min())
