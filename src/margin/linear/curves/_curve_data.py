"""One number per row: what estimators of curves accept, and targets at distinct points."""

from typing import Any, NamedTuple

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats


class DistinctPoints(NamedTuple):
    """Targets gathered where rows agree.

    Parameters
    ----------
    points : ndarray of shape (n,) or (n, p)
        Distinct sorted numbers or rows.
    mean, weight : ndarray of shape (n,)
        Weighted mean of the targets there, and the sum of their weights.
    ties : float
        Squared deviations inside ties, which no curve can explain.
    """

    points: Floats
    mean: Floats
    weight: Floats
    ties: float


def as_column(X: Any) -> Any:
    """A list of numbers as a table of one column; a frame keeps its column name.

    Examples
    --------
    >>> as_column([1.0, 2.0]).shape
    (2, 1)
    """
    if hasattr(X, "columns"):
        return X
    X = np.asarray(X)
    return X.reshape(-1, 1) if X.ndim == 1 else X


def single_column(owner: str, X: Array) -> Floats:
    """The one column of a checked table, in double precision."""
    if X.shape[1] != 1:
        raise check.fail(owner, "X", "one column", f"{X.shape[1]} columns")
    return X[:, 0].astype(np.float64)


def distinct_points(x: Floats, y: Floats, weight: Floats | None) -> DistinctPoints:
    """Distinct sorted numbers or rows with weighted mean targets, weights, and deviations in ties.

    Examples
    --------
    >>> points, mean, total, ties = distinct_points(np.array([2.0, 1.0, 2.0]), np.arange(3.0), None)
    >>> points, mean, total, ties
    (array([1., 2.]), array([1., 1.]), array([1., 2.]), 2.0)
    """
    weight = np.ones(len(x)) if weight is None else weight
    keep = weight > 0
    x, y, weight = x[keep], y[keep], weight[keep]
    points, place = np.unique(x, axis=None if x.ndim == 1 else 0, return_inverse=True)
    place = place.ravel()
    total = np.bincount(place, weights=weight).astype(np.float64, copy=False)
    mean = np.bincount(place, weights=weight * y) / total
    return DistinctPoints(points, mean, total, float(weight @ (y - mean[place]) ** 2))
