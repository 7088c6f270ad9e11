"""Edges between named nodes as rows of bits."""

from collections.abc import Hashable
from typing import Any, NamedTuple

from margin.native import _native


class EdgeRows(NamedTuple):
    """What edges say of every node.

    Parameters
    ----------
    ahead, behind : tuple of int
        Bit sets of the nodes that the edges of a node lead to, and come from.
    order : tuple of int
        Nodes by the length of the longest path that leads to them, then by number; those on a cycle
        and behind it are missing.
    distinct : bool
        Whether no edge is there twice.
    rising : bool
        Whether every edge leads to a higher number, and the edges are sorted and distinct.
    """

    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    order: tuple[int, ...]
    distinct: bool
    rising: bool


def edge_rows(index: dict[Any, int], edges: tuple[tuple[Hashable, ...], ...]) -> EdgeRows | None:
    """Rows of edges between nodes that ``index`` numbers; None if one is no pair of two of them."""
    rows: Any = _native.edge_rows(index, edges)
    return None if rows is None else EdgeRows(*rows)
