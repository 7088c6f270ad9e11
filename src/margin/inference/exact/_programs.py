"""Schedules of a tree of cliques, compiled on demand and kept."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Bytes, Floats, Indices
from margin.inference.exact._plan import plan_of, refuse_above
from margin.native.junction.junction import Junction

_CACHED = 64


class Programs:
    """The latest compiled schedules of one structure, by question.

    Parameters
    ----------
    owner : str
        Class whose name the errors carry.
    cardinalities : tuple of int
    scopes : tuple of tuples of int
    heuristic : str
    order : tuple of int
        Elimination order; empty for a search by the heuristic.
    memory_limit : float
        Largest memory of the tables in bytes.
    """

    def __init__(
        self,
        owner: str,
        cardinalities: tuple[int, ...],
        scopes: tuple[tuple[int, ...], ...],
        heuristic: str,
        order: tuple[int, ...],
        memory_limit: float,
    ) -> None:
        self._owner = owner
        self._scopes = scopes
        self._heuristic, self._order, self._limit = heuristic, order, memory_limit
        self._cards = np.array(cardinalities, dtype=np.int64)
        self._flat_scopes = _flat(scopes)
        self._shapes = [tuple(cardinalities[v] for v in scope) for scope in scopes]
        self._sizes = [prod(shape) for shape in self._shapes]
        self._known: dict[Any, Junction] = {}

    def get(
        self,
        roles: Bytes,
        query: tuple[int, ...],
        batch: bool,
        keep: tuple[int, ...] | None = None,
        refuse: bool = True,
    ) -> Junction:
        """The schedule for variables in these roles, compiled unless it is known.

        Parameters
        ----------
        roles : array of uint8
            Of each variable: hidden, sliced by evidence, or with a likelihood.
        query : tuple of int
            Variables whose joint table is asked for.
        batch : bool
            Whether rows go sixteen at a time.
        keep : tuple of int, optional
            Factors that take part; all by default.
        refuse : bool
            Raise :class:`MemoryLimitError` over the limit.
        """
        key = (roles.tobytes(), query, batch, keep)
        program = self._known.pop(key, None)
        if program is None:
            scopes = self._flat_scopes
            if keep is not None:
                scopes = _flat([self._scopes[f] for f in keep])
            program = Junction(
                self._cards, scopes, roles, query, self._order, self._heuristic, batch
            )
            if len(self._known) >= _CACHED:
                del self._known[next(iter(self._known))]
        self._known[key] = program
        if refuse and program.entries * 8.0 > min(self._limit, 8e9):
            refuse_above(self._limit, plan_of(program.describe(), self._scopes))
        return program

    def flat(self, tables: Sequence[ArrayLike], keep: tuple[int, ...] | None = None) -> Floats:
        """Entries of the tables, or of those kept, one table after the other."""
        if len(tables) != len(self._shapes):
            raise check.fail(self._owner, "tables", f"{len(self._shapes)} arrays", len(tables))
        chosen = range(len(tables)) if keep is None else keep
        parts = []
        for k in chosen:
            table = tables[k]
            if type(table) is not np.ndarray:
                table = np.asarray(table, dtype=np.float64)
            if table.size != self._sizes[k]:
                wanted = f"of shape {self._shapes[k]}"
                raise check.fail(self._owner, f"tables[{k}]", wanted, table.shape)
            parts.append(table)
        if not parts:
            return np.empty(0)
        entries: Floats = np.concatenate(parts, axis=None, dtype=np.float64)
        return entries

    def split(self, flat: Floats) -> list[Floats]:
        """Arrays shaped as the tables: the inverse of :meth:`flat`."""
        bounds = pairwise((0, *accumulate(self._sizes)))
        return [flat[a:b].reshape(k) for (a, b), k in zip(bounds, self._shapes, strict=True)]


def _flat(scopes: Sequence[Sequence[int]]) -> tuple[Indices, Indices]:
    start = np.zeros(len(scopes) + 1, dtype=np.int64)
    np.cumsum([len(scope) for scope in scopes], out=start[1:])
    return start, np.array([v for scope in scopes for v in scope], dtype=np.int64)
