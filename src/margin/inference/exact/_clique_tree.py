"""The structure of a tree of cliques and what it costs."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Self

import numpy as np

from margin.core import check
from margin.inference._errors import MemoryLimitError
from margin.inference._model import check_cardinalities, check_evidence, check_scopes
from margin.inference.exact._plan import Plan, default_limit, plan_of
from margin.inference.exact._programs import Programs
from margin.inference.exact._question import Evidence
from margin.native.junction.junction import HEURISTICS, HIDDEN, SLICED


class CliqueTree:
    """A triangulated graph of scopes: cliques, separators and a plan (``inference.20``).

    What :class:`JunctionTree` answers questions on; no tables yet.

    Attributes
    ----------
    cliques : tuple of tuples of int
        Variables of each clique.
    parents : tuple of int
        Clique next to each clique towards the root, -1 at a root.
    order : tuple of int
        The elimination order that gave the cliques.

    Examples
    --------
    >>> tree = CliqueTree.compile((2, 2, 2, 2), [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> sorted(map(len, tree.cliques)), sorted(map(len, tree.separators))
    ([3, 3], [0, 2])
    """

    def __init__(
        self,
        cardinalities: tuple[int, ...],
        scopes: tuple[tuple[int, ...], ...],
        targets: tuple[int, ...],
        heuristic: str,
        order: tuple[int, ...],
        memory_limit: float,
    ) -> None:
        self.cardinalities = cardinalities
        self.scopes = scopes
        self._bounds = (0, *accumulate(cardinalities))
        self._settings = (targets, heuristic, order, memory_limit)
        self._programs = Programs(
            type(self).__name__, cardinalities, scopes, heuristic, order, memory_limit
        )
        roles = np.full(len(cardinalities), HIDDEN, dtype=np.uint8)
        try:
            description = self._programs.get(roles, targets, False, refuse=False).describe()
        except OverflowError as error:
            raise MemoryLimitError(
                f"JunctionTree: scopes must allow exact inference, got a graph with {error}; "
                "use approximate inference: loopy_bp, mean_field, gibbs"
            ) from None
        self.cliques: tuple[tuple[int, ...], ...] = tuple(map(tuple, description["cliques"]))
        self.parents: tuple[int, ...] = tuple(description["parents"])
        self.order: tuple[int, ...] = tuple(description["order"])
        self._plan = plan_of(description, scopes)

    @classmethod
    def compile(
        cls,
        cardinalities: Sequence[int],
        scopes: Sequence[Sequence[int]],
        *,
        targets: Sequence[int] | None = None,
        heuristic: str = "auto",
        order: Sequence[int] | None = None,
        memory_limit: float | None = None,
    ) -> Self:
        """Triangulate the graph of the scopes and plan the propagation.

        Parameters
        ----------
        cardinalities : sequence of int
            States of each variable.
        scopes : sequence of sequences of int
            Variables of each factor.
        targets : sequence of int, optional
            Variables to keep together in one clique, for joint questions about them.
        heuristic : str
            ``"auto"`` (the best of several searches, more of them where tables are large),
            ``"min-fill"``, ``"weighted-min-fill"``, ``"min-weight"`` or ``"min-degree"``.
        order : sequence of int, optional
            An elimination order of all variables, instead of a search.
        memory_limit : float, optional
            Largest memory of the tables of a query in bytes; half of the machine's by default. A
            query that needs more is refused before any work: :class:`MemoryLimitError`.
        """
        cards = check_cardinalities(cls.__name__, cardinalities)
        known = check_scopes(cls.__name__, cards, scopes)
        together = check_scopes(cls.__name__, cards, [targets or ()])[0]
        if heuristic not in HEURISTICS:
            wanted = f"one of {', '.join(map(repr, HEURISTICS))}"
            raise check.fail(cls.__name__, "heuristic", wanted, heuristic)
        sequence = tuple(int(v) for v in order) if order is not None else ()
        if order is not None and sorted(sequence) != list(range(len(cards))):
            raise check.fail(cls.__name__, "order", "a permutation of the variables", order)
        if memory_limit is not None and not memory_limit > 0:
            raise check.fail(cls.__name__, "memory_limit", "a number above 0", memory_limit)
        limit = default_limit() if memory_limit is None else float(memory_limit)
        return cls(cards, known, together, heuristic, sequence, limit)

    def __reduce__(self) -> Any:
        return type(self), (self.cardinalities, self.scopes, *self._settings)

    def __repr__(self) -> str:
        counts = f"{len(self.cardinalities)} variables, {len(self.scopes)} factors"
        return f"{type(self).__name__}({counts})"

    @property
    def plan(self) -> Plan:
        """Cost of a query without evidence; evidence makes it cheaper."""
        return self._plan

    @property
    def separators(self) -> tuple[tuple[int, ...], ...]:
        """Variables each clique shares with its parent; empty at a root."""
        separators = []
        for clique, parent in zip(self.cliques, self.parents, strict=True):
            shared = set(self.cliques[parent]) if parent >= 0 else set()
            separators.append(tuple(v for v in clique if v in shared))
        return tuple(separators)

    def explain_plan(self, evidence: Evidence = None) -> Plan:
        """Cost of a query with this evidence (its first row); no table is made."""
        row = check_evidence(type(self).__name__, self.cardinalities, evidence)[:1]
        roles = np.where(row[0] >= 0, SLICED, HIDDEN).astype(np.uint8)
        program = self._programs.get(roles, self._settings[0], False, None, refuse=False)
        return plan_of(program.describe(), self.scopes)
