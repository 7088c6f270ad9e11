"""Which rows of a table are the same."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from margin.core.types import Indices


def equal_rows(X: Any) -> Indices:
    """Number of the distinct row that every row is, in the order of their first appearance.

    Examples
    --------
    >>> import numpy as np
    >>> equal_rows(np.array([[2.0], [1.0], [2.0]]))
    array([0, 1, 0])
    """
    if issparse(X):
        rows = csr_array(X)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        parts = np.split(np.arange(rows.nnz), rows.indptr[1:-1])
        keys = [(rows.indices[at].tobytes(), rows.data[at].tobytes()) for at in parts]
        seen: dict[Any, int] = {}
        return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)
    _, first, group = np.unique(X, axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[group.ravel()])
