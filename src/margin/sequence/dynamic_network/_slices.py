"""The structure of a dynamic network: two slices of time, and the interface between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats, Indices
from margin.graphs import DAG

_MOST_LABELS = 50  # that one product of tables may have in NumPy

Scope = tuple[int, ...]


@dataclass(frozen=True)
class Slices:
    r"""Families of a slice and of the next; variable ``v`` is ``v`` now and ``n + v`` before.

    The interface are the variables with children in the next slice. Given their states, what comes
    later does not depend on what was before, so that they form a Markov chain.

    Parameters
    ----------
    cards : tuple of int
        Number of states of every variable.
    parents, lagged : tuple of tuples of int
        Parents of every variable in its own slice and in the slice before.
    """

    cards: tuple[int, ...]
    parents: tuple[Scope, ...]
    lagged: tuple[Scope, ...]

    @property
    def n(self) -> int:
        """Number of variables of a slice."""
        return len(self.cards)

    @cached_property
    def interface(self) -> Scope:
        """Variables with children in the next slice."""
        return tuple(sorted({p for parents in self.lagged for p in parents}))

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """States of the variables of the interface."""
        return tuple(self.cards[v] for v in self.interface)

    @property
    def n_states(self) -> int:
        """States of the interface together."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def before(self) -> Scope:
        """The interface of the slice before, as labels."""
        return tuple(self.n + v for v in self.interface)

    @cached_property
    def scopes(self) -> tuple[Scope, ...]:
        """Labels of the table of every variable: lagged parents, parents, itself."""
        return tuple(
            (*(self.n + p for p in self.lagged[v]), *self.parents[v], v) for v in range(self.n)
        )

    @cached_property
    def first_scopes(self) -> tuple[Scope, ...]:
        """The same in the first slice, where nobody has lagged parents."""
        return tuple((*self.parents[v], v) for v in range(self.n))

    @cached_property
    def moving(self) -> Scope:
        """Variables with parents in the slice before."""
        return tuple(v for v in range(self.n) if self.lagged[v])

    @cached_property
    def separable(self) -> bool:
        """Whether tables across time touch the interface alone: then its chain has one matrix."""
        inside = {*self.interface, *self.before}
        return all(inside.issuperset(self.scopes[v]) for v in self.moving)

    def shapes(self, scopes: Iterable[Scope]) -> list[tuple[int, ...]]:
        """Shapes of tables with these scopes."""
        return [tuple(self.cards[label % self.n] for label in scope) for scope in scopes]


def slices(
    owner: object, names: Sequence[Any], cards: Sequence[int], edges: Any, transitions: Any
) -> Slices:
    """Checked structure from edges by name."""
    place = {name: v for v, name in enumerate(names)}
    inner = _links(owner, "edges", edges, place)
    across = _links(owner, "transitions", transitions, place)
    try:
        DAG(nodes=range(len(names)), edges=inner)
    except ValueError as error:
        raise check.fail(owner, "edges", "without a cycle within a slice", edges) from error
    n = len(names)
    parents = tuple(tuple(sorted(a for a, b in inner if b == v)) for v in range(n))
    lagged = tuple(tuple(sorted(a for a, b in across if b == v)) for v in range(n))
    structure = Slices(tuple(cards), parents, lagged)
    if n + len(structure.interface) + 1 > _MOST_LABELS:
        wanted = f"of at most {_MOST_LABELS - 1} variables, those of the interface counted twice"
        raise check.fail(owner, "edges", wanted, n + len(structure.interface))
    return structure


def _links(
    owner: object, parameter: str, given: Any, place: dict[Any, int]
) -> list[tuple[int, int]]:
    links = []
    for pair in given:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise check.fail(owner, parameter, "pairs of names, parent and child", pair)
        for name in pair:
            if name not in place:
                raise check.fail(owner, parameter, f"between {list(place)}", name)
        links.append((place[pair[0]], place[pair[1]]))
    return list(dict.fromkeys(links))


def contract(
    tables: Sequence[Floats], scopes: Sequence[Scope], out: Scope, batch: int | None = None
) -> Floats:
    """Product of tables, summed over all labels but those of ``out`` (and the batch, first)."""
    lead = () if batch is None else (batch,)
    place = {label: i for i, label in enumerate(dict.fromkeys(v for s in scopes for v in s))}
    operands: list[Any] = []
    for table, scope in zip(tables, scopes, strict=True):
        operands += [table, [place[label] for label in scope]]
    asked = [place[label] for label in (*lead, *out)]
    return np.asarray(np.einsum(*operands, asked, optimize="greedy"))


def indicators(codes: Indices, cards: Sequence[int]) -> tuple[list[Floats], list[int]]:
    """Tables (rows, states) of variables seen in some row: one at the state seen, ones if unseen.

    Examples
    --------
    >>> import numpy as np
    >>> tables, seen = indicators(np.array([[1, -1], [-1, -1]]), (2, 3))
    >>> tables[0].tolist(), seen
    ([[0.0, 1.0], [1.0, 1.0]], [0])
    """
    seen = [v for v in range(len(cards)) if (codes[:, v] >= 0).any()]
    tables = []
    for v in seen:
        column = codes[:, v, None]
        hit = (column == np.arange(cards[v])) | (column < 0)
        tables.append(hit.astype(np.float64))
    return tables, seen
