"""Where to put the inducing points."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import kmeans_plusplus

from margin.core.types import Floats

_ROWS = 20_000
_SWEEPS = 5
_CANDIDATES = 2_000


def inducing_points(kernel: Any, X: Any, m: int, scale: Floats, rng: np.random.Generator) -> Any:
    """``m`` points that cover the data: cluster centres of a table, else typical objects.

    Parameters
    ----------
    kernel : Kernel
        Tells which objects are alike, where they are no vectors.
    X : array of shape (n, d), or a list of objects
    m : int
    scale : ndarray of shape (d,)
        Units in which distances are measured.
    rng : numpy.random.Generator

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> Z = inducing_points(None, X, 2, np.ones(1), np.random.default_rng(0))
    >>> np.sort(Z.ravel()).round(6)
    array([0.05, 5.05])
    """
    if not isinstance(X, np.ndarray):
        return _typical_objects(kernel, X, m, rng)
    distinct = np.unique(X, axis=0) if len(X) <= _ROWS else X
    if len(distinct) <= m:
        return distinct
    rows = distinct
    if len(rows) > _ROWS:
        rows = rows[np.sort(rng.choice(len(rows), _ROWS, replace=False))]
    rows = rows / scale
    seed = int(rng.integers(2**31))
    centres, _ = kmeans_plusplus(rows, m, random_state=seed)
    for _ in range(_SWEEPS):
        centres = _sweep(rows, centres)
    return np.ascontiguousarray(centres * scale)


def _sweep(rows: Floats, centres: Floats) -> Floats:
    """One step of k-means; a centre without rows stays."""
    nearest = np.empty(len(rows), dtype=np.intp)
    lengths = np.einsum("ij,ij->i", centres, centres)
    for start in range(0, len(rows), 4096):
        block = rows[start : start + 4096]
        nearest[start : start + 4096] = np.argmin(lengths - 2.0 * block @ centres.T, axis=1)
    counts = np.bincount(nearest, minlength=len(centres))
    order = np.argsort(nearest, kind="stable")
    filled = np.flatnonzero(counts)
    starts = (np.cumsum(counts) - counts)[filled]
    moved = centres.copy()
    moved[filled] = np.add.reduceat(rows[order], starts, axis=0) / counts[filled, None]
    return moved


def _typical_objects(kernel: Any, X: Any, m: int, rng: np.random.Generator) -> list[Any]:
    """Objects picked greedily, each the one that those before say least about."""
    n = min(len(X), _CANDIDATES)
    kept = np.sort(rng.choice(len(X), n, replace=False))
    objects = [X[i] for i in kept]
    left = np.asarray(kernel.diag(objects), dtype=np.float64).copy()
    rows = np.zeros((min(m, n), n))
    chosen: list[int] = []
    for step in range(min(m, n)):
        best = int(np.argmax(left))
        if left[best] <= 1e-10 * float(np.max(kernel.diag(objects))):
            break
        column = np.asarray(kernel([objects[best]], objects), dtype=np.float64)[0]
        rows[step] = (column - rows[:step, best] @ rows[:step]) / np.sqrt(left[best])
        left = np.maximum(left - rows[step] ** 2, 0.0)
        left[best] = 0.0
        chosen.append(best)
    return [objects[i] for i in chosen]
