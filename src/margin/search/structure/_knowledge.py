"""What is known about the arcs before the data are seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Bytes


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Required and forbidden arcs between numbered nodes (graphical.36).

    Parameters
    ----------
    required, forbidden : ndarray of uint8, shape (p, p)
        1 at (parent, child).

    Examples
    --------
    >>> known = Knowledge.of("PC", ["age", "dose", "cure"], tiers=[["age"], ["dose", "cure"]])
    >>> known.forbidden.tolist()
    [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
    """

    required: Bytes
    forbidden: Bytes

    @classmethod
    def of(
        cls,
        owner: str,
        names: Sequence[Any],
        *,
        required: Iterable[Any] | None = None,
        forbidden: Iterable[Any] | None = None,
        tiers: Iterable[Iterable[Any]] | None = None,
    ) -> Knowledge:
        """Knowledge in terms of names.

        ``tiers`` lists groups of nodes from early to late; no arc may point to an earlier group.
        """
        if required is None and forbidden is None and tiers is None:
            return cls.none(len(names))
        index = {name: at for at, name in enumerate(names)}
        must = _matrix(owner, "required", index, required)
        never = _matrix(owner, "forbidden", index, forbidden)
        never |= _backwards(owner, index, tiers)
        for i, j in np.argwhere(must & never):
            pair = (names[i], names[j])
            raise check.fail(owner, "required", "different from what is forbidden", pair)
        _check_acyclic(owner, must, names)
        # A required arc rules out the opposite one.
        return cls(must, (never | must.T).astype(np.uint8))

    @classmethod
    def none(cls, n_nodes: int) -> Knowledge:
        """Nothing is known."""
        empty = np.zeros((n_nodes, n_nodes), dtype=np.uint8)
        return cls(empty, empty.copy())

    @property
    def possible(self) -> Bytes:
        """Symmetric matrix of the pairs that may be joined."""
        allowed = 1 - self.forbidden
        np.fill_diagonal(allowed, 0)
        return (allowed | allowed.T).astype(np.uint8)

    @property
    def kept(self) -> Bytes:
        """Symmetric matrix of the pairs that must be joined."""
        return (self.required | self.required.T).astype(np.uint8)


def _matrix(owner: str, parameter: str, index: dict[Any, int], arcs: Iterable[Any] | None) -> Bytes:
    matrix = np.zeros((len(index), len(index)), dtype=np.uint8)
    for arc in arcs or ():
        pair = tuple(arc) if isinstance(arc, Iterable) and not isinstance(arc, str) else (arc,)
        if len(pair) != 2 or any(node not in index for node in pair) or pair[0] == pair[1]:
            raise check.fail(owner, parameter, "pairs (parent, child) of different columns", arc)
        matrix[index[pair[0]], index[pair[1]]] = 1
    return matrix


def _backwards(owner: str, index: dict[Any, int], tiers: Iterable[Iterable[Any]] | None) -> Bytes:
    level = np.full(len(index), -1)
    for depth, group in enumerate(tiers or ()):
        for node in group:
            if node not in index or level[index[node]] >= 0:
                raise check.fail(owner, "tiers", "groups of different columns, each once", node)
            level[index[node]] = depth
    known = level >= 0
    backwards = (level[:, None] > level) & known[:, None] & known
    return np.asarray(backwards, dtype=np.uint8)


def _check_acyclic(owner: str, must: Bytes, names: Sequence[Any]) -> None:
    waiting = must.sum(axis=0).astype(int)
    ready = list(np.flatnonzero(waiting == 0))
    for node in ready:
        for child in np.flatnonzero(must[node]):
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    if len(ready) < len(names):
        stuck = [names[i] for i in range(len(names)) if i not in set(ready)]
        raise check.fail(owner, "required", "without a directed cycle", f"one through {stuck[0]!r}")
