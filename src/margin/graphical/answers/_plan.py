"""The cost of exact inference in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from margin.graphical._domain import shorten
from margin.inference import Plan


@dataclass(frozen=True, repr=False)
class PlanReport:
    """Size of the junction tree that a question needs.

    Parameters
    ----------
    treewidth : int
        Variables in the largest clique, less one.
    n_cliques : int
        Cliques of the tree.
    largest_clique : tuple of str
        Variables of the clique with the largest table.
    bytes : int
        Memory of all tables.
    operations : int
        Multiplications and additions of one propagation.
    """

    treewidth: int
    n_cliques: int
    largest_clique: tuple[str, ...]
    bytes: int
    operations: int

    @classmethod
    def of(cls, plan: Plan, names: Sequence[str]) -> PlanReport:
        """The plan of a tree, with the names of its first variables."""
        clique = tuple(
            names[v] if v < len(names) else f"(auxiliary {v - len(names)})"
            for v in plan.largest_clique
        )
        return cls(plan.treewidth, plan.n_cliques, clique, int(plan.bytes), int(plan.operations))

    def __repr__(self) -> str:
        return (
            f"exact inference: treewidth {self.treewidth}, {self.n_cliques} cliques\n"
            f"  largest clique  {shorten(self.largest_clique)}\n"
            f"  memory          {amount(self.bytes, 'bytes')}\n"
            f"  operations      {amount(self.operations, '')}".rstrip()
        )


def amount(number: float, unit: str = "") -> str:
    """A large number as a person says it.

    Examples
    --------
    >>> amount(12, "bytes"), amount(2_500_000, "bytes"), amount(3e12, "")
    ('12 bytes', '2.5 million bytes', '3 million million')
    """
    size = float(number)
    words = ""
    while size >= 1e6:
        size, words = size / 1e6, words + " million"
    if size >= 1e4:
        size, words = size / 1e3, " thousand" + words
    return f"{size:.3g}{words} {unit}".strip()
