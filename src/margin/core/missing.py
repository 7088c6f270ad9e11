"""NaN means unobserved: masks and patterns of missing values."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Pattern(NamedTuple):
    """Rows that share one set of observed columns."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


def observed(X: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Boolean mask of the observed entries.

    Examples
    --------
    >>> observed(np.array([[1.0, np.nan]]))
    array([[ True, False]])
    """
    seen: NDArray[np.bool_] = ~np.isnan(X)
    return seen


def patterns(X: NDArray[np.floating]) -> Iterator[Pattern]:
    """Groups of rows with the same observed columns, so that each group is solved once.

    Rows keep their order inside a group; every row is in exactly one group.

    Examples
    --------
    >>> X = np.array([[1.0, np.nan], [1.0, 2.0], [3.0, np.nan]])
    >>> [(p.rows.tolist(), p.columns.tolist()) for p in patterns(X)]
    [([0, 2], [0]), ([1], [0, 1])]
    """
    if X.ndim != 2:
        raise ValueError(f"patterns: X must be two-dimensional, got shape {X.shape}")
    mask = observed(X)
    if not len(mask):
        return
    if mask.all():
        yield Pattern(np.arange(len(X)), np.arange(X.shape[1]))
        return
    packed = np.packbits(mask, axis=1)
    keys, group = np.unique(packed, axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    bounds = np.searchsorted(group.ravel()[order], np.arange(len(keys) + 1))
    for start, stop in pairwise(bounds):
        rows = order[start:stop]
        yield Pattern(rows, np.flatnonzero(mask[rows[0]]))
