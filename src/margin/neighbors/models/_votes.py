"""Weights of neighbours, votes of classes and means of targets, on plain arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats, Indices
from margin.neighbors.search._ragged import Ragged

Weighting = str | Callable[[Any], Any] | None


def check_weighting(owner: object, weights: Any) -> None:
    """Refuse weights that are neither a name nor a function."""
    known = weights is None or (isinstance(weights, str) and weights in ("uniform", "distance"))
    if not known and not callable(weights):
        raise check.fail(owner, "weights", "'uniform', 'distance', None or a callable", weights)


def row_weights(weights: Weighting, distance: Floats) -> Floats | None:
    """Weight of every neighbour, None where all count the same.

    With ``"distance"`` a neighbour counts the inverse of its distance; at distance zero it counts
    one and others of the same query nothing.
    """
    if weights is None or weights == "uniform":
        return None
    if callable(weights):
        return np.asarray(weights(distance), dtype=np.float64)
    touching = distance == 0.0
    with np.errstate(divide="ignore"):
        inverse = 1.0 / distance
    return np.where(touching.any(axis=1)[:, None], touching, inverse)


def list_weights(weights: Weighting, near: Ragged) -> Floats | None:
    """The same for lists of different lengths, one weight for every pair."""
    if weights is None or weights == "uniform":
        return None
    if callable(weights):
        lists = weights(near.lists()[0])
        parts = [np.asarray(one, dtype=np.float64).ravel() for one in lists]
        return np.concatenate(parts) if parts else np.empty(0)
    touching = near.distance == 0.0
    any_touching = np.zeros(len(near.offsets) - 1, dtype=bool)
    any_touching[near.queries[touching]] = True
    with np.errstate(divide="ignore"):
        inverse = 1.0 / near.distance
    return np.where(any_touching[near.queries], touching, inverse)


def votes(codes: Indices, weight: Floats | None, n_classes: int) -> Floats:
    """Total weight of every class among the neighbours of each query.

    Parameters
    ----------
    codes : ndarray of shape (n_queries, k)
        Classes of the neighbours.
    weight : ndarray of the same shape, or None
    n_classes : int

    Examples
    --------
    >>> votes(np.array([[0, 2, 2]]), None, 3)
    array([[1., 0., 2.]])
    """
    queries = np.repeat(np.arange(len(codes)), codes.shape[1])
    return pair_votes(
        queries, codes.ravel(), None if weight is None else weight.ravel(), (len(codes), n_classes)
    )


def pair_votes(
    queries: Indices, codes: Indices, weight: Floats | None, shape: tuple[int, int]
) -> Floats:
    """The same for pairs of a query and a class in any order."""
    cells = queries * shape[1] + codes
    totals = np.bincount(cells, weights=weight, minlength=shape[0] * shape[1])
    return totals.astype(np.float64).reshape(shape)


def shares(totals: Floats) -> Floats:
    """Votes as probabilities; a query without any votes keeps its zeros."""
    total = totals.sum(axis=1, keepdims=True)
    return totals / np.where(total == 0.0, 1.0, total)


def means(targets: Array, weight: Floats | None) -> Floats:
    """Weighted mean of the targets of the neighbours, of shape (n_queries, k, n_outputs)."""
    if weight is None:
        return np.asarray(targets.mean(axis=1))
    # Powers of two change nothing but keep products with large targets finite.
    _, exponent = np.frexp(np.abs(weight).max(axis=1, keepdims=True))
    weight = np.ldexp(weight, -exponent)
    total = weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.einsum("ij,ijk->ik", weight, targets) / total[:, None])


def list_means(near: Ragged, targets: Floats, weight: Floats | None) -> Floats:
    """The same for lists of different lengths; NaN where a list is empty."""
    n, weight = len(near.offsets) - 1, np.ones(len(near.number)) if weight is None else weight
    total = np.bincount(near.queries, weights=weight, minlength=n)
    sums = [
        np.bincount(near.queries, weights=weight * column[near.number], minlength=n)
        for column in targets.T
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.column_stack(sums) / total[:, None]
    mean[near.counts == 0] = np.nan
    return mean
