"""One sequence, or many of them: one rule for all models."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import check


def is_one(X: Any) -> bool:
    """Whether this is one array of rows, or of numbers, and not a list of sequences.

    An array of one or two axes, a frame, and a flat list of numbers are one sequence.

    Examples
    --------
    >>> is_one([1.0, 2.0]), is_one(np.zeros((3, 2))), is_one([[1.0, 2.0]])
    (True, True, False)
    """
    if isinstance(X, np.ndarray) and X.dtype != object:
        return X.ndim in (1, 2)
    if hasattr(X, "iloc") or hasattr(X, "to_numpy"):
        return True
    return hasattr(X, "__len__") and len(X) > 0 and all(np.ndim(x) == 0 for x in X)


def refuse_complex(owner: object, X: Any, name: str = "X") -> None:
    """Nothing loses its imaginary part.

    Examples
    --------
    >>> refuse_complex("HMM", np.array([1j]))
    Traceback (most recent call last):
    ValueError: HMM: X must be sequences of real numbers, got 'complex ones'
    """
    if np.asarray(X).dtype.kind == "c":
        raise check.fail(owner, name, "sequences of real numbers", "complex ones")


def refuse_sparse(owner: object, X: Any, name: str = "X") -> None:
    """Sequences are dense: a sparse table, also one in a list, is refused in words.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> refuse_sparse("HMM", [csr_array(np.eye(2))])
    Traceback (most recent call last):
    ValueError: HMM: X must be a list of arrays, Sequences or a dense array, got 'csr_array'
    """
    for part in [X, *X] if isinstance(X, list | tuple) else [X]:
        if issparse(part):
            need = "a list of arrays, Sequences or a dense array"
            raise check.fail(owner, name, need, type(part).__name__)
