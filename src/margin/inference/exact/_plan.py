"""What exact inference would cost, before any table is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from margin.core import memory
from margin.inference._errors import MemoryLimitError

_BYTES = 8.0
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")


@dataclass(frozen=True)
class Plan:
    """Cost of exact inference in a tree of cliques.

    Parameters
    ----------
    treewidth : int
        Variables of the widest clique, less one.
    n_cliques : int
    largest_clique : tuple of int
        Variables of the clique with the largest table.
    largest_entries : float
        Entries of that table.
    bytes : float
        Memory of all clique tables in double precision.
    operations : float
        Table entries visited by an upward and a downward pass, about.

    Examples
    --------
    >>> Plan(2, 5, (0, 1, 2), 8.0, 320.0, 120.0)
    Plan: 5 cliques, treewidth 2, 320 B, 120 operations; largest clique (0, 1, 2) with 8 entries
    """

    treewidth: int
    n_cliques: int
    largest_clique: tuple[int, ...]
    largest_entries: float
    bytes: float
    operations: float

    def __repr__(self) -> str:
        return (
            f"Plan: {self.n_cliques} cliques, treewidth {self.treewidth}, "
            f"{readable(self.bytes)}, {self.operations:,.4g} operations; "
            f"largest clique {self.largest_clique} with {self.largest_entries:,.4g} entries"
        )


def plan_of(description: dict[str, Any], scopes: Sequence[Sequence[int]]) -> Plan:
    """Read the cost off the description of a tree of cliques."""
    cliques = description["cliques"]
    widest = max((len(clique) for clique in cliques), default=1)
    largest = description["largest_clique"]
    entries = float(description["entries"])
    passes = 4.0 + len(scopes) / max(1, len(cliques))
    return Plan(
        treewidth=widest - 1,
        n_cliques=len(cliques),
        largest_clique=tuple(sorted(cliques[largest])) if largest >= 0 else (),
        largest_entries=float(description["largest"]),
        bytes=entries * _BYTES,
        operations=entries * passes,
    )


def readable(size: float) -> str:
    """Bytes in a unit a person reads.

    Examples
    --------
    >>> readable(2_500_000.0)
    '2.5 MB'
    """
    unit = 0
    while size >= 1000.0 and unit + 1 < len(_UNITS):
        size, unit = size / 1000.0, unit + 1
    return f"{size:.3g} {_UNITS[unit]}"


def default_limit() -> float:
    """Half of the memory that the process may use, in bytes; 4 GB where it cannot be told."""
    size = memory.total()
    return 4e9 if size is None else 0.5 * size


def refuse_above(limit: float, plan: Plan) -> None:
    """Raise MemoryLimitError if the plan needs more than ``limit`` bytes."""
    if plan.bytes <= limit and plan.largest_entries <= 2**31 - 1:
        return
    raise MemoryLimitError(
        f"JunctionTree: memory_limit must be at least {readable(plan.bytes)} for exact inference, "
        f"got {readable(limit)}; the largest clique {plan.largest_clique} alone has "
        f"{plan.largest_entries:.3g} entries ({readable(plan.largest_entries * _BYTES)}). "
        "Observe more variables, or use approximate inference: loopy_bp, mean_field, gibbs, "
        "likelihood_weighting",
        plan.largest_clique,
        plan.bytes,
    )
