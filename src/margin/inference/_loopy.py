"""Loopy belief propagation on any factor graph."""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Status, check
from margin.inference._model import FactorModel, check_evidence
from margin.inference._semiring import LOG_SUM, MIN_SUM, Semiring

Floats = NDArray[np.float64]
_Link = tuple[int, int]


@dataclass(frozen=True)
class Beliefs:
    """Approximate marginals and how they were reached.

    Parameters
    ----------
    marginals : list of ndarray
        Per variable, normalised.
    factor_marginals : list of ndarray
        Per factor, normalised.
    log_evidence : float
        Approximation of the log mass; which one depends on the method.
    status : Status
    n_iter : int
    trace : ndarray
        Largest change of a message, or the bound, after every round.
    certificate : Certificate or None
    """

    marginals: list[Floats]
    factor_marginals: list[Floats]
    log_evidence: float
    status: Status
    n_iter: int
    trace: Floats = field(repr=False)
    certificate: Certificate | None = None


def loopy_bp(
    model: FactorModel,
    evidence: Mapping[int, int] | None = None,
    *,
    damping: float = 0.0,
    schedule: str = "residual",
    tol: float = 1e-8,
    max_iter: int = 500,
    maximise: bool = False,
    rng: np.random.Generator | None = None,
) -> Beliefs:
    r"""Belief propagation on a factor graph with cycles (``inference.15``).

    The messages of :func:`sum_product`, repeated until they settle. A fixed point is a stationary
    point of the Bethe free energy; :attr:`Beliefs.log_evidence` is its value. Exact on trees.
    Convergence is not guaranteed: the status says whether it happened.

    Parameters
    ----------
    model : FactorModel
    evidence : mapping of int to int, optional
    damping : float
        Share of the old message (in logarithms) that is kept, in [0, 1).
    schedule : {"residual", "flooding"}
        The message that would change most next, or all at once.
    tol : float
        Largest change of a log message, after normalisation, that counts as settled.
    max_iter : int
        Rounds, each as many updates as there are messages.
    maximise : bool
        Max-product: marginals are max-marginals, normalised.
    rng : Generator, optional
        Random initial messages; uniform ones by default.

    Notes
    -----
    For large pairwise models (images) use :func:`pairwise_bp`, which is compiled.

    Examples
    --------
    >>> pair = [[2.0, 1.0], [1.0, 2.0]]
    >>> ring = FactorModel((2,) * 3, ((0,), (0, 1), (1, 2), (2, 0)), ([3.0, 1.0], pair, pair, pair))
    >>> beliefs = loopy_bp(ring)
    >>> beliefs.status.value, beliefs.marginals[1].round(3)
    ('converged', array([0.613, 0.387]))
    """
    if not 0 <= damping < 1:
        raise check.fail("loopy_bp", "damping", "in [0, 1)", damping)
    if schedule not in ("residual", "flooding"):
        raise check.fail("loopy_bp", "schedule", "one of 'residual', 'flooding'", schedule)
    if max_iter < 1:
        raise check.fail("loopy_bp", "max_iter", "an integer of at least 1", max_iter)
    row = check_evidence("loopy_bp", model.cardinalities, evidence or {})[0]
    given = {v: int(s) for v, s in enumerate(row) if s >= 0}
    state = _Messages(model.reduced(given), MIN_SUM if maximise else LOG_SUM, rng)
    run = state.flood if schedule == "flooding" else state.settle
    trace = run(damping, tol, max_iter)
    change = trace[-1] if trace else 0.0
    marginals = [_one_hot(model, v, given[v]) if v in given else state.belief(v)
                 for v in range(model.n_variables)]  # fmt: skip
    status = Status.CONVERGED if change <= tol else Status.MAX_ITER
    tables = [_expand(model, f, state.factor_belief(f), given) for f in range(len(model.scopes))]
    bethe = float("nan") if maximise else state.bethe()
    certificate = Certificate("largest change of a log message", float(change), tol)
    return Beliefs(marginals, tables, bethe, status, len(trace), np.array(trace), certificate)


def _one_hot(model: FactorModel, v: int, state: int) -> Floats:
    table = np.zeros(model.cardinalities[v])
    table[state] = 1.0
    return table


def _expand(model: FactorModel, f: int, table: Floats, given: Mapping[int, int]) -> Floats:
    full = np.zeros(tuple(model.cardinalities[v] for v in model.scopes[f]))
    full[tuple(given.get(v, slice(None)) for v in model.scopes[f])] = table
    return full


class _Messages:
    """Log messages from factors to variables, largest entry zero."""

    def __init__(
        self, model: FactorModel, algebra: Semiring, rng: np.random.Generator | None
    ) -> None:
        self.model = model
        self.maximise = algebra is MIN_SUM
        with np.errstate(divide="ignore"):
            self.log_tables = [np.log(table) for table in model.tables]
        self.around: list[list[int]] = [[] for _ in range(model.n_variables)]
        self.value: dict[_Link, Floats] = {}
        for f, scope in enumerate(model.scopes):
            for v in scope:
                self.around[v].append(f)
                start = np.zeros(model.cardinalities[v])
                if rng is not None:
                    start = np.log(rng.dirichlet(np.ones(len(start))))
                self.value[f, v] = _shifted(start)

    def to_factor(self, v: int, skip: int) -> Floats:
        total = np.zeros(self.model.cardinalities[v])
        for f in self.around[v]:
            if f != skip:
                total = total + self.value[f, v]
        return total

    def _with_messages(self, f: int, skip: int) -> Floats:
        table = self.log_tables[f]
        scope = self.model.scopes[f]
        for axis, u in enumerate(scope):
            if u != skip:
                shape = [1] * len(scope)
                shape[axis] = -1
                table = table + self.to_factor(u, f).reshape(shape)
        return table

    def fresh(self, f: int, v: int) -> Floats:
        table = self._with_messages(f, v)
        axes = tuple(k for k, u in enumerate(self.model.scopes[f]) if u != v)
        if self.maximise:
            return _shifted(table.max(axis=axes))
        return _shifted(_log_sum(table, axes))

    def flood(self, damping: float, tol: float, max_iter: int) -> list[float]:
        trace: list[float] = []
        for _ in range(max_iter):
            new = {link: self.fresh(*link) for link in self.value}
            trace.append(max((_change(new[k], self.value[k]) for k in new), default=0.0))
            for link, message in new.items():
                self.value[link] = _mixed(message, self.value[link], damping)
            if trace[-1] <= tol:
                break
        return trace

    def settle(self, damping: float, tol: float, max_iter: int) -> list[float]:
        pending = {link: self.fresh(*link) for link in self.value}
        size = {link: _change(pending[link], self.value[link]) for link in pending}
        queue = [(-change, link) for link, change in size.items()]
        heapq.heapify(queue)
        trace: list[float] = []

        def refresh(link: _Link) -> None:
            size[link] = _change(pending[link], self.value[link])
            heapq.heappush(queue, (-size[link], link))

        for _ in range(max_iter):
            steps = 0
            while queue and steps < len(pending) and -queue[0][0] > tol:
                change, link = heapq.heappop(queue)
                if -change != size[link]:
                    continue
                steps += 1
                self.value[link] = _mixed(pending[link], self.value[link], damping)
                refresh(link)
                f, v = link
                for g in self.around[v]:
                    for u in self.model.scopes[g]:
                        if g != f and u != v:
                            pending[g, u] = self.fresh(g, u)
                            refresh((g, u))
            trace.append(max(size.values(), default=0.0))
            if trace[-1] <= tol:
                break
        return trace

    def belief(self, v: int) -> Floats:
        return _normalised(self.to_factor(v, -1))

    def factor_belief(self, f: int) -> Floats:
        return _normalised(self._with_messages(f, -1))

    def bethe(self) -> float:
        """Log mass of factors and variables, less that of the links between them."""
        total = 0.0
        for v in range(self.model.n_variables):
            total += float(_log_sum(self.to_factor(v, -1), (0,)))
        for f in range(len(self.model.scopes)):
            table = self._with_messages(f, -1)
            total += float(_log_sum(table, tuple(range(table.ndim))))
        for _, v in self.value:
            total -= float(_log_sum(self.to_factor(v, -1), (0,)))
        return -np.inf if np.isnan(total) else total


def _log_sum(table: Floats, axes: tuple[int, ...]) -> Any:
    return np.logaddexp.reduce(table, axis=axes) if axes else table


def _shifted(message: Floats) -> Floats:
    top = message.max()
    return message - top if np.isfinite(top) else message


def _mixed(new: Floats, old: Floats, damping: float) -> Floats:
    if damping == 0.0:
        return new
    with np.errstate(invalid="ignore"):
        mixed = (1.0 - damping) * new + damping * old
    return _shifted(np.where(np.isneginf(new) | np.isneginf(old), new, mixed))


def _change(new: Floats, old: Floats) -> float:
    with np.errstate(invalid="ignore"):
        gap = np.abs(new - old)
    gap[new == old] = 0.0
    return float(gap.max(initial=0.0))


def _normalised(log_table: Floats) -> Floats:
    top = log_table.max()
    if not np.isfinite(top):
        return np.zeros_like(log_table)
    table = np.exp(log_table - top)
    normal: Floats = table / table.sum()
    return normal
