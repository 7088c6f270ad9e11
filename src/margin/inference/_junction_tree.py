"""Exact inference by propagation in a tree of cliques."""

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.inference._barren import kept_factors
from margin.inference._errors import MemoryLimitError
from margin.inference._k_best import k_best
from margin.inference._model import (
    Floats,
    States,
    check_cardinalities,
    check_evidence,
    check_scopes,
)
from margin.inference._plan import Plan, default_limit, plan_of, refuse_above
from margin.inference._question import Evidence, Likelihoods, Question
from margin.native.junction import HEURISTICS, HIDDEN, SLICED, Junction

_CACHED = 64


class JunctionTree:
    r"""Exact inference for any tables over a fixed structure (``inference.20``).

    .. math:: p(x) = \frac{\prod_c p(x_c)}{\prod_s p(x_s)}

    over the cliques :math:`c` and separators :math:`s` of a triangulated graph. The structure is
    compiled once: a schedule of table products and sums. Evidence slices the tables, so observed
    variables make every later step smaller; many rows of evidence go through one schedule, sixteen
    at a time. Messages are scaled to a largest entry of one with the logarithm kept aside
    (``inference.11``), so long chains neither underflow nor pay for logarithms.

    Make one with :meth:`compile`.

    Notes
    -----
    Time and memory are proportional to the entries of the clique tables, see :attr:`plan`.

    Examples
    --------
    >>> import numpy as np
    >>> tables = [np.array([0.6, 0.4]), np.array([[0.9, 0.1], [0.2, 0.8]])]
    >>> tree = JunctionTree.compile((2, 2), ((0,), (0, 1)))
    >>> log_evidence, (rain, wet) = tree.marginals(tables, {1: 1})
    >>> np.exp(log_evidence).round(3), rain.round(4)
    (array([0.38]), array([[0.1579, 0.8421]]))
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
        self._settings = (targets, heuristic, order, memory_limit)
        self._cards = np.array(cardinalities, dtype=np.int64)
        self._flat_scopes = _flat(scopes)
        self._sizes = [prod(cardinalities[v] for v in scope) for scope in scopes]
        self._bounds = (0, *accumulate(cardinalities))
        self._programs: dict[Any, Junction] = {}
        roles = np.full(len(cardinalities), HIDDEN, dtype=np.uint8)
        try:
            description = self._program(roles, targets, False, None, refuse=False).describe()
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
    ) -> "JunctionTree":
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
        cards = check_cardinalities(cls, cardinalities)
        known = check_scopes(cls, cards, scopes)
        together = check_scopes(cls, cards, [targets or ()])[0]
        if heuristic not in HEURISTICS:
            wanted = f"one of {', '.join(map(repr, HEURISTICS))}"
            raise check.fail(cls, "heuristic", wanted, heuristic)
        sequence = tuple(int(v) for v in order) if order is not None else ()
        if order is not None and sorted(sequence) != list(range(len(cards))):
            raise check.fail(cls, "order", "a permutation of the variables", order)
        if memory_limit is not None and not memory_limit > 0:
            raise check.fail(cls, "memory_limit", "a number above 0", memory_limit)
        limit = default_limit() if memory_limit is None else float(memory_limit)
        return cls(cards, known, together, heuristic, sequence, limit)

    def __reduce__(self) -> Any:
        return JunctionTree, (self.cardinalities, self.scopes, *self._settings)

    def __repr__(self) -> str:
        return f"JunctionTree({len(self.cardinalities)} variables, {len(self.scopes)} factors)"

    @property
    def plan(self) -> Plan:
        """Cost of a query without evidence; evidence makes it cheaper."""
        return self._plan

    @property
    def separators(self) -> tuple[tuple[int, ...], ...]:
        """Variables each clique shares with its parent; empty at a root."""
        found = []
        for clique, parent in zip(self.cliques, self.parents, strict=True):
            shared = set(self.cliques[parent]) if parent >= 0 else set()
            found.append(tuple(v for v in clique if v in shared))
        return tuple(found)

    def explain_plan(self, evidence: Evidence = None) -> Plan:
        """Cost of a query with this evidence (its first row); no table is made."""
        row = check_evidence(self, self.cardinalities, evidence)[:1]
        roles = np.where(row[0] >= 0, SLICED, HIDDEN).astype(np.uint8)
        program = self._program(roles, self._settings[0], False, None, refuse=False)
        return plan_of(program.describe(), self.scopes)

    def marginals(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> tuple[Floats, list[Floats]]:
        r"""Posterior marginals of every variable, one row per row of evidence.

        Parameters
        ----------
        tables : sequence of arrays
            One per scope, non-negative, not necessarily normalised.
        evidence : int array of shape (rows, variables) or mapping, optional
            States, -1 where unobserved; a mapping is one row.
        likelihoods : mapping of int to array of shape (rows, states), optional
            Virtual evidence (``inference.18``): a factor :math:`\lambda(x_v)` per row.
        n_threads : int, optional
        impossible : {"raise", "zero"}
            Rows of probability zero raise :class:`ZeroProbabilityError`, or have log evidence -inf
            and marginals of zero.

        Returns
        -------
        log_evidence : array of shape (rows,)
            Logarithm of the sum over all unobserved variables of the product of the factors.
        marginals : list of arrays of shape (rows, states)
        """
        flat = self._tables(tables)
        width = int(self._cards.sum())
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        out = np.empty((question.n_rows, width))
        for rows, roles, batch in question.parts(self._plan.bytes):
            program = self._program(roles, (), batch, None)
            given = question.likelihoods_of(rows)
            log_mass, found = program.marginals(
                flat, question.evidence_of(rows), given, width, question.n_threads
            )
            question.log_mass[rows], out[rows] = log_mass, found
        question.judge(out)
        return question.log_mass, [out[:, a:b] for a, b in pairwise(self._bounds)]

    def log_evidence(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
    ) -> Floats:
        """Logarithm of the sum over all unobserved variables, -inf where it is zero."""
        flat = self._tables(tables)
        question = Question(self, evidence, likelihoods, "zero", n_threads)
        for rows, roles, batch in question.parts(self._plan.bytes):
            program = self._program(roles, (), batch, None)
            question.log_mass[rows], _ = program.joint(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), 1,
                question.n_threads,
            )  # fmt: skip
        return question.log_mass

    def joint(
        self,
        tables: Sequence[ArrayLike],
        variables: Sequence[int],
        evidence: Evidence = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> Floats:
        """Posterior table of some variables together, whether or not they share a clique.

        Factors that sum to one over variables nobody asked about are left out (barren nodes).
        Returns an array of shape (rows, states of each variable …).
        """
        asked = check_scopes(self, self.cardinalities, [variables])[0]
        flat = self._tables(tables)
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        shape = tuple(self.cardinalities[v] for v in asked)
        out = np.zeros((question.n_rows, *shape))
        for rows, roles, batch in question.parts(self._plan.bytes):
            keep = None
            if len(roles) > 1 and (batch or self._plan.largest_entries > 1e5):
                keep = kept_factors(self.scopes, tables, roles == HIDDEN, asked)
            program = self._program(roles, asked, batch, keep)
            used = flat if keep is None else self._tables(tables, keep)
            free = [v for v in asked if roles[v] != SLICED]
            states = question.evidence_of(rows)
            log_mass, found = program.joint(
                used, states, question.likelihoods_of(rows),
                int(self._cards[free].prod()) if free else 1, question.n_threads,
            )  # fmt: skip
            question.log_mass[rows] = log_mass
            out[_places(asked, roles, rows, states, shape)] = found.reshape(
                len(rows), *(self.cardinalities[v] for v in free)
            )
        question.judge(out)
        return out

    def expected_counts(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        weight: ArrayLike | None = None,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
        impossible: str = "raise",
    ) -> tuple[Floats, list[Floats]]:
        r"""Sum over rows of :math:`w_r\, p(x_{S_k} \mid e_r)` for every factor :math:`k`.

        The E-step of maximum likelihood with missing values. Returns the log evidence per row and
        one array per factor, shaped as its table.
        """
        flat = self._tables(tables)
        question = Question(self, evidence, likelihoods, impossible, n_threads)
        weights = np.ones(question.n_rows) if weight is None else np.asarray(weight, dtype=float)
        if weights.shape != (question.n_rows,) or not (weights >= 0).all():
            raise check.fail(
                self, "weight", f"{question.n_rows} non-negative numbers", weights.shape
            )
        total = np.zeros(len(flat))
        for rows, roles, batch in question.parts(self._plan.bytes):
            log_mass, counts = self._program(roles, (), batch, None).counts(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), weights[rows],
                question.n_threads,
            )  # fmt: skip
            question.log_mass[rows] = log_mass
            total += counts
        question.judge()
        pieces = [total[a:b] for a, b in pairwise((0, *accumulate(self._sizes)))]
        shapes = [tuple(self.cardinalities[v] for v in scope) for scope in self.scopes]
        return question.log_mass, [p.reshape(s) for p, s in zip(pieces, shapes, strict=True)]

    def mpe(
        self,
        tables: Sequence[ArrayLike],
        evidence: Evidence = None,
        k: int = 1,
        likelihoods: Likelihoods = None,
        n_threads: int | None = None,
    ) -> tuple[Floats, States]:
        r"""Most probable assignments of all variables given the evidence (``inference.12``).

        Max-product with back-pointers: upwards every clique sends the maximum over its own
        variables, downwards each picks the best entry that agrees with its parent.

        Parameters
        ----------
        k : int
            How many, best first (``inference.13``); with ``k > 1`` the results have an extra axis
            and missing ones (fewer than ``k`` possible assignments) have log value -inf.

        Returns
        -------
        log_value : array of shape (rows,) or (rows, k)
            Logarithm of the product of the factors, not normalised.
        states : int array of shape (rows, variables) or (rows, k, variables)
        """
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
            raise check.fail(self, "k", "an integer of at least 1", k)
        question = Question(self, evidence, likelihoods, "raise", n_threads)
        if k > 1:
            solve = partial(self._best, self._tables(tables))
            found = k_best(solve, self.cardinalities, question, int(k))
            question.log_mass[:] = found[0][:, 0]
        else:
            found = self._best(self._tables(tables), question)
        question.judge()
        return found

    def _best(self, flat: Floats, question: Question) -> tuple[Floats, States]:
        states = np.empty((question.n_rows, len(self._cards)), dtype=np.int32)
        for rows, roles, batch in question.parts(self._plan.bytes):
            question.log_mass[rows], states[rows] = self._program(roles, (), batch, None).best(
                flat, question.evidence_of(rows), question.likelihoods_of(rows), question.n_threads
            )
        return question.log_mass, states

    def _program(
        self,
        roles: NDArray[np.uint8],
        query: tuple[int, ...],
        batch: bool,
        keep: tuple[int, ...] | None,
        refuse: bool = True,
    ) -> Junction:
        key = (roles.tobytes(), query, batch, keep)
        found = self._programs.pop(key, None)
        if found is None:
            scopes = self._flat_scopes
            if keep is not None:
                scopes = _flat([self.scopes[f] for f in keep])
            _, heuristic, order, _ = self._settings
            found = Junction(self._cards, scopes, roles, query, order, heuristic, batch)
            if len(self._programs) >= _CACHED:
                del self._programs[next(iter(self._programs))]
        self._programs[key] = found
        if refuse and found.entries * 8.0 > min(self._settings[3], 8e9):
            refuse_above(self._settings[3], plan_of(found.describe(), self.scopes))
        return found

    def _tables(self, tables: Sequence[ArrayLike], keep: tuple[int, ...] | None = None) -> Floats:
        if len(tables) != len(self.scopes):
            raise check.fail(self, "tables", f"{len(self.scopes)} arrays", len(tables))
        chosen = range(len(tables)) if keep is None else keep
        parts = []
        for k in chosen:
            table = np.asarray(tables[k], dtype=np.float64)
            if table.size != self._sizes[k]:
                wanted = tuple(self.cardinalities[v] for v in self.scopes[k])
                raise check.fail(self, f"tables[{k}]", f"of shape {wanted}", table.shape)
            parts.append(table.ravel())
        return np.concatenate(parts) if parts else np.empty(0)


def _flat(scopes: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    start = np.zeros(len(scopes) + 1, dtype=np.int64)
    np.cumsum([len(scope) for scope in scopes], out=start[1:])
    return start, np.array([v for scope in scopes for v in scope], dtype=np.int64)


def _places(
    asked: tuple[int, ...],
    roles: NDArray[np.uint8],
    rows: NDArray[Any],
    states: States,
    shape: tuple[int, ...],
) -> tuple[Any, ...]:
    """Index of the entries of a joint table that agree with the observed variables."""
    free = [k for k, v in enumerate(asked) if roles[v] != SLICED]
    grid = np.ix_(np.arange(len(rows)), *(np.arange(shape[k]) for k in free))
    at: list[Any] = [rows[grid[0]]]
    column = (slice(None),) + (None,) * len(free)
    for k, v in enumerate(asked):
        at.append(grid[1 + free.index(k)] if k in free else states[:, v][column])
    return tuple(at)
