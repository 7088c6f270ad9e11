"""Merges of clusters from a matrix of distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

LINKAGES = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
"""Linkages by the codes of the compiled loops."""


def agglomerate(distances: Floats, linkage: str) -> tuple[Indices, Floats, Indices]:
    """Merges in the order of their heights: children, heights, sizes.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        Symmetric; squared Euclidean distances for centroid, median and ward. It is used up.
    linkage : str
        One of :data:`LINKAGES`.

    Returns
    -------
    children : ndarray of shape (n - 1, 2)
        Numbers below ``n`` are rows, ``n + s`` is the union of merge ``s``.
    height : ndarray of shape (n - 1,)
    count : ndarray of shape (n - 1,)
        Rows of the union.
    """
    pair, height = _room(len(distances))
    _native.agglomerate(distances, LINKAGES.index(linkage), pair, height)
    if linkage in ("centroid", "median"):  # merges in their order, whatever their heights
        children, count = numbered(pair)
        return children, height, count
    return _in_order(pair, height)


def agglomerate_rows(
    X: Floats, linkage: str, *, by_means: bool = False, n_threads: int = 1
) -> tuple[Indices, Floats, Indices]:
    """The same from rows and their Euclidean distances, without the matrix of all of them.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    linkage : str
        One of :data:`LINKAGES` but centroid and median; heights of ward are squared.
    by_means : bool
        Ward's merges from the means of clusters alone, in memory for these.
    n_threads : int

    Returns
    -------
    children, height, count : ndarrays
        As from :func:`agglomerate`.
    """
    pair, height = _room(len(X))
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    _native.agglomerate_rows(columns, LINKAGES.index(linkage), by_means, pair, height, n_threads)
    return _in_order(pair, height)


def _room(n: int) -> tuple[Indices, Floats]:
    return np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)


def _in_order(pair: Indices, height: Floats) -> tuple[Indices, Floats, Indices]:
    order = np.argsort(height, kind="stable")
    children, count = numbered(pair[order])
    return children, height[order], count


def numbered(pair: Indices) -> tuple[Indices, Indices]:
    """Numbers of the merged clusters and sizes of the unions, from a row of either cluster."""
    children, count = np.empty_like(pair), np.empty(len(pair), dtype=np.int64)
    _native.number_merges(np.ascontiguousarray(pair), children, count)
    return children, count


def pair_distances(X: Floats, *, squared: bool = False, n_threads: int = 1) -> Floats:
    """Euclidean distances between all rows, by differences, or their squares."""
    rows = np.ascontiguousarray(X, dtype=np.float64)
    out = np.empty((len(rows), len(rows)))
    columns = np.ascontiguousarray(rows.T)
    _native.pair_distances(rows, columns, not squared, out, n_threads)
    return out
