"""Functions of the distances between the rows of two tables."""

from typing import Any

import numpy as np
from scipy import sparse

from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import dot, squared_norms
from margin.native.kernels import kernel_maps

DIRECT_COLUMNS = 64
"""Up to so many columns differences are as quick as a product of matrices, and more accurate."""


def squared_distances(X: Any, Z: Any = None, *, n_threads: int = 1) -> Floats:
    """Squared Euclidean distances of rows: never negative, exactly zero on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([[ 0., 25.],
           [25.,  0.]])
    """
    return radial(kernel_maps.SQUARED, kernel_maps.VALUE, 0.0, X, Z, n_threads)


def radial(kind: int, order: int, a: float, X: Any, Z: Any, n_threads: int) -> Floats:
    """A function of the squared distances, named by ``kind`` and ``order`` of the compiled maps.

    Few columns are compared directly. For many the distances come from one product of matrices,
    about the common mean so that points far from the origin keep their digits; pairs so close that
    the norms cancel are compared again directly. Sparse tables are not shifted.
    """
    if sparse.issparse(X) or sparse.issparse(Z):
        return _by_products(kind, order, a, X, Z, n_threads, None)
    if X.shape[1] <= DIRECT_COLUMNS:
        return kernel_maps.direct(kind, order, a, X, Z, n_threads)
    total, count = X.sum(axis=0, dtype=np.float64), X.shape[0]
    if Z is not None:
        total, count = total + Z.sum(axis=0, dtype=np.float64), count + Z.shape[0]
    centre = (total / max(count, 1)).astype(X.dtype)
    tables = (X, X if Z is None else Z)
    moved = None if Z is None else Z - centre
    return _by_products(kind, order, a, X - centre, moved, n_threads, tables)


def _by_products(
    kind: int,
    order: int,
    a: float,
    X: Any,
    Z: Any,
    n_threads: int,
    tables: tuple[Floats, Floats] | None,
) -> Floats:
    norms = squared_norms(X)
    return kernel_maps.from_products(
        kind,
        order,
        a,
        tables,
        (norms, norms if Z is None else squared_norms(Z)),
        np.ascontiguousarray(dot(X, Z)),
        Z is None,
        n_threads,
    )
