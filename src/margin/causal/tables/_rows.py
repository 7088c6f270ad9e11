"""Rows that count: named columns where the weight is above 0."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.causal.tables._columns import Name, column, levels
from margin.causal.tables._missing import some_rows
from margin.core import check
from margin.core.types import Array, Bools, Floats, Indices


@dataclass(frozen=True, eq=False)
class Rows:
    """Columns by name at the rows of positive weight.

    Parameters
    ----------
    columns : dict of name to array
    weight : ndarray of shape (n,) or None
        Weights of these rows, None where none were given.
    used : ndarray of bool
        Which rows of the frame they are.
    """

    columns: dict[Name, Array]
    weight: Floats | None
    used: Bools

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.used.sum())

    @property
    def shares(self) -> Floats:
        """Weights of mean one."""
        if self.weight is None:
            return np.ones(self.n)
        return np.asarray(self.weight * (self.n / self.weight.sum()))


def weighed_rows(owner: object, frame: Any, names: Iterable[Name], sample_weight: Any) -> Rows:
    """The rows that count; the others need not even be known.

    Examples
    --------
    >>> found = weighed_rows("A", {"x": [1.0, np.nan, 4.0]}, ["x"], [1, 0, 3])
    >>> found.columns["x"], found.shares
    (array([1., 4.]), array([0.5, 1.5]))
    """
    listed = tuple(dict.fromkeys(names))
    n = len(column(owner, frame, listed[0]))
    weight = check.weights(owner, sample_weight, n)
    used = np.ones(n, dtype=bool) if weight is None else weight > 0
    columns = some_rows(owner, frame, listed, used)
    return Rows(columns, None if weight is None else weight[used], used)


def cluster_codes(owner: object, frame: Any, clusters: Any, used: Bools) -> Indices | None:
    """Codes of the clusters of the rows that are used, of which there must be two.

    Parameters
    ----------
    clusters : name or array-like of shape (n,), optional

    Examples
    --------
    >>> cluster_codes("A", {"who": ["b", "a", "b"]}, "who", np.array([True, True, True]))
    array([1, 0, 1])
    """
    if clusters is None:
        return None
    labels = column(owner, frame, clusters) if isinstance(clusters, str) else np.asarray(clusters)
    if labels.shape != used.shape:
        raise check.fail(owner, "clusters", f"of length {len(used)}", labels.shape)
    held, codes = levels(owner, {"clusters": labels[used]}, "clusters")
    if len(held) < 2:
        raise check.fail(owner, "clusters", "at least two", held)
    return codes
