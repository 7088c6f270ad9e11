"""Distances as values: what is searched in their place, and how the answer is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from margin.core.types import Array, Bools, Floats, Indices

Form = Literal["rows", "squares", "angles", "centred angles", "sphere", "matrix"]
Pairs = Callable[[Any, Any], Array]
_PAD = 1e-7  # radii are searched a little wider and then held against the distances themselves


@dataclass(frozen=True, eq=False)
class Metric:
    r"""A distance, as a compiled measure of mapped rows or as a function of two tables.

    Cosine distances are half the squared Euclidean ones of rows of length one, great circles are
    chords of the sphere, Mahalanobis distances are Euclidean after a linear map: the fast searches
    serve them all.

    Parameters
    ----------
    name : str
        As users know it.
    form : str
        ``"rows"`` are searched as they are, times ``scale``; ``"squares"`` the same, the answer
        squared; ``"angles"`` and ``"centred angles"`` after division by their length; ``"sphere"``
        as points on it; ``"matrix"`` by ``pairs``.
    measure : str
        Of the mapped rows, one of :data:`margin.native.neighbors.trees.MEASURES`.
    power : float
        Of the Minkowski distance.
    scale : ndarray or None
        Factor of each column, or a matrix that the rows are multiplied by.
    pairs : callable or None
        ``pairs(Q, X)``, the matrix of distances.
    triangle : bool
        Whether balls bound it.
    """

    name: str
    form: Form = "rows"
    measure: str = "euclidean"
    power: float = 2.0
    scale: Floats | None = None
    pairs: Pairs | None = None
    triangle: bool = True

    @property
    def boxed(self) -> bool:
        """Whether boxes bound it: what KD trees need."""
        boxes = ("euclidean", "manhattan", "chebyshev", "minkowski")
        return self.pairs is None and self.measure in boxes and self.power >= 1

    @property
    def balled(self) -> bool:
        """Whether balls bound it: what ball trees need."""
        return self.pairs is None and self.triangle and self.power >= 1

    def mapped(self, X: Array, *, queries: bool = False) -> Array:
        """The rows that are searched, or searched for."""
        if self.form == "sphere":
            return _on_sphere(X)
        if self.form in ("angles", "centred angles"):
            rows = X.astype(np.float64)
            if self.form == "centred angles":
                rows -= rows.mean(axis=1, keepdims=True)
            return _unit(rows, queries)
        if self.scale is None:
            return X
        rows = X.astype(np.float64)
        return rows * self.scale if self.scale.ndim == 1 else rows @ self.scale

    def inner_radius(self, radius: Floats) -> Floats:
        """Radius to search the mapped rows by: at least what the radius means there."""
        if self.form == "rows":
            return radius
        if self.form == "squares":
            wide = np.sqrt(np.maximum(radius, 0.0))
        elif self.form == "sphere":
            wide = np.where(radius >= np.pi, 2.1, 2.0 * np.sin(np.clip(radius, 0, np.pi) / 2))
        else:
            wide = np.sqrt(2.0 * np.maximum(radius, 0.0))
        return np.asarray(np.where(radius < 0, -1.0, wide * (1.0 + _PAD) + 1e-12))

    def outer(self, distance: Floats, left: Array, right: Array) -> Floats:
        """Distances of pairs of rows whose mapped rows have the distances given."""
        if self.form == "rows" or not distance.size:
            return distance
        if self.form == "squares":
            return distance**2
        if self.form == "sphere":
            return great_circle(left, right)
        return 0.5 * distance**2

    def inside(self, distance: Floats, radius: Floats) -> Bools | None:
        """Which pairs are within the radius after all, None for all of them."""
        return None if self.form == "rows" else np.asarray(distance <= radius)


def great_circle(left: Array, right: Array) -> Floats:
    """Angles between pairs of points given by latitude and longitude in radians (haversine)."""
    a, b = left.astype(np.float64), right.astype(np.float64)
    half = np.sin(0.5 * (a - b)) ** 2
    chord = half[:, 0] + np.cos(a[:, 0]) * np.cos(b[:, 0]) * half[:, 1]
    return np.asarray(2.0 * np.arcsin(np.sqrt(np.minimum(chord, 1.0))))


def _on_sphere(X: Array) -> Floats:
    latitude, longitude = X[:, 0].astype(np.float64), X[:, 1].astype(np.float64)
    across = np.cos(latitude)
    return np.column_stack(
        [across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)]
    )


def _unit(rows: Floats, queries: bool) -> Floats:
    """Rows of length one; a row of zeros is orthogonal to all others, in a direction of its own."""
    largest = np.abs(rows).max(axis=1, initial=0.0)
    zero = largest == 0
    rows = rows / np.where(zero, 1.0, largest)[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(zero, 1.0, length)[:, None]
    extra = np.zeros((len(rows), 2))
    extra[zero, int(queries)] = 1.0
    return np.hstack([rows, extra])


def pair_rows(number: Indices) -> tuple[Indices, Indices]:
    """Query and point of every entry of a matrix of neighbours."""
    queries = np.repeat(np.arange(len(number)), number.shape[1])
    return queries, number.ravel()
