"""What a sparse Cholesky factor will hold, before a single number of it is computed."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Places
from margin.linalg.sparse._nested_dissection import Dissection


@dataclass(frozen=True, eq=False)
class Fronts:
    """Dense blocks of a sparse factor: one per group of unknowns, in order of elimination.

    Parameters
    ----------
    pivots : tuple of ndarray of int
        Unknowns that a front eliminates.
    borders : tuple of ndarray of int
        Later unknowns that the elimination touches.
    children : tuple of tuple of int
        Fronts whose updates go into a front.
    place : ndarray of shape (n,)
        Position of every unknown in the order of elimination.
    """

    pivots: tuple[Places, ...]
    borders: tuple[Places, ...]
    children: tuple[tuple[int, ...], ...]
    place: Places

    @property
    def fill(self) -> int:
        """Numbers that the factor holds."""
        return sum(
            len(p) * (len(p) + 1) // 2 + len(p) * len(b)
            for p, b in zip(self.pivots, self.borders, strict=True)
        )

    @property
    def operations(self) -> float:
        """Multiplications of a factorisation."""
        sizes = [(len(p), len(b)) for p, b in zip(self.pivots, self.borders, strict=True)]
        return float(sum(p**3 / 3 + p * p * b + p * b * b for p, b in sizes))

    @property
    def owner(self) -> Places:
        """Front that eliminates an unknown."""
        owners = np.empty(len(self.place), dtype=np.intp)
        for front, pivots in enumerate(self.pivots):
            owners[pivots] = front
        return owners


def fronts(graph: Any, order: Dissection) -> Fronts:
    """Symbolic factorisation of a symmetric sparse matrix (linalg.09).

    Parameters
    ----------
    graph : CSR array of shape (n, n)
        Its pattern; only where entries are stored matters.
    order : Dissection
        Groups in the order of their elimination.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye_array
    >>> plan = fronts(eye_array(3, format="csr"), Dissection((np.arange(3),), ((),)))
    >>> plan.fill, plan.operations
    (6, 9.0)
    """
    place = np.empty(graph.shape[0], dtype=np.intp)
    place[np.concatenate([*order.groups, np.empty(0, dtype=np.intp)])] = np.arange(len(place))
    borders: list[Places] = []
    for group, below in zip(order.groups, order.children, strict=True):
        touched = [_neighbours(graph, group), *(borders[child] for child in below)]
        reached = np.unique(np.concatenate(touched))
        later = reached[place[reached] > place[group].max()]
        borders.append(later[np.argsort(place[later])])
    return Fronts(order.groups, tuple(borders), order.children, place)


def _neighbours(graph: Any, group: Places) -> Places:
    return np.unique(graph[group].indices).astype(np.intp)
