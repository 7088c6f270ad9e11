"""What every conditional distribution of a node offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats, Places

MAX_ENTRIES = 2**26
"""Largest table that is written out: half a gigabyte."""


class CPD(ABC):
    r"""Conditional distribution :math:`p(x_j \mid x_{\mathrm{pa}(j)})` of one node.

    A frozen value. ``parents`` is ``None`` where the order of the parents is that of the edges.
    """

    parents: tuple[str, ...] | None
    discrete: ClassVar[bool] = True

    @abstractmethod
    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        """Free parameters."""


class DiscreteCPD(CPD):
    """A conditional distribution over finitely many states, given parents with states."""

    @abstractmethod
    def table(self, label: str, card: int, parent_cards: Sequence[int]) -> Floats:
        """Probabilities, of shape ``(*parent_cards, card)``; ``label`` begins the messages."""

    def states_implied(self) -> int | None:
        """Number of states of the node, where the parameters say it."""
        return None


def refuse_large(label: str, card: int, parent_cards: Sequence[int]) -> None:
    """Refuse a table that would not fit before it is made.

    Examples
    --------
    >>> refuse_large("BayesianNetwork: table of 'y'", 2, [2] * 40)
    Traceback (most recent call last):
    ValueError: BayesianNetwork: table of 'y' must have at most 67108864 entries, got \
2199023255552 (40 parents); give it fewer parents or a NoisyOr
    """
    entries = card * prod(parent_cards)
    if entries > MAX_ENTRIES:
        raise ValueError(
            f"{label} must have at most {MAX_ENTRIES} entries, got {entries} "
            f"({len(parent_cards)} parents); give it fewer parents or a NoisyOr"
        )


def check_rows(
    owner: str,
    name: str,
    table: Floats,
    parents: Sequence[str] = (),
    states: Mapping[str, Sequence[Hashable]] | None = None,
    tol: float = 1e-6,
) -> None:
    """Refuse a table that is not a distribution for every state of the parents, saying where.

    Examples
    --------
    >>> check_rows("Net", "a", np.array([[0.5, 0.5], [0.5, 0.4]]), ["b"], {"b": ["no", "yes"]})
    Traceback (most recent call last):
    ValueError: Net: column of 'a' given b='yes' must sum to 1, got 0.9
    """
    if not np.isfinite(table).all():
        at = np.argwhere(~np.isfinite(table))[0]
        where = _column(name, at[:-1], parents, states)
        raise ValueError(f"{owner}: {where} must be finite, got {table[tuple(at)]}")
    if table.size and table.min() < 0:
        at = np.argwhere(table < 0)[0]
        where = _column(name, at[:-1], parents, states)
        raise ValueError(f"{owner}: {where} must be at least 0, got {table[tuple(at)]}")
    sums = table.sum(axis=-1)
    wrong = np.abs(sums - 1) > tol
    if wrong.any():
        at = np.argwhere(wrong)[0]
        where = _column(name, at, parents, states)
        raise ValueError(f"{owner}: {where} must sum to 1, got {sums[tuple(at)]:.10g}")


def _column(
    name: str,
    at: Sequence[int],
    parents: Sequence[str],
    states: Mapping[str, Sequence[Hashable]] | None,
) -> str:
    if not len(at):
        return f"column of {name!r}"
    names = list(parents) if len(parents) == len(at) else [f"parent {i}" for i in range(len(at))]
    words = [
        f"{parent}={states[parent][i]!r}" if states and parent in states else f"{parent}={int(i)}"
        for parent, i in zip(names, at, strict=True)
    ]
    return f"column of {name!r} given {', '.join(words)}"


def parent_codes(parent_cards: Sequence[int]) -> Places:
    """Codes of the parents in every configuration, in the order of the tables.

    Examples
    --------
    >>> parent_codes([2, 2]).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    if not parent_cards:
        return np.zeros((1, 0), dtype=np.intp)
    return np.indices(tuple(parent_cards)).reshape(len(parent_cards), -1).T


def named(value: Any) -> tuple[str, ...] | None:
    """Parents as a tuple, ``None`` kept."""
    if value is None:
        return None
    return (value,) if isinstance(value, str) else tuple(value)
