"""Sum-product on factor graphs without cycles, with any semiring."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Ints
from margin.inference._model import Factored, FactorModel, check_evidence, factors_of
from margin.inference._semiring import LOG_SUM, MAX_PRODUCT, MIN_SUM, SUM_PRODUCT, Semiring, resolve

_Link = tuple[int, int]


@dataclass(frozen=True)
class TreeBeliefs:
    """Messages of a factor tree and what follows from them.

    Parameters
    ----------
    marginals : list of ndarray
        Per variable. Normalised for sum-product and log-sum (as probabilities); elements of the
        semiring otherwise.
    log_evidence : array
        The sum over all assignments, the same from every variable: log mass for sum-product and
        log-sum, least cost for min-sum and max-product, an element of the semiring otherwise.
    rounds : int
        Rounds until the last message, if all messages that can be sent are sent at once.
    """

    marginals: list[Array]
    log_evidence: Any
    rounds: int


def sum_product(
    model: FactorModel | Factored,
    evidence: Mapping[int, int] | None = None,
    *,
    semiring: Semiring | str = "sum-product",
) -> TreeBeliefs:
    r"""Exact marginals of a factor graph that is a forest, in two passes (``inference.10``).

    .. math::

        \mu_{x \to f}(x) = \prod_{g \ne f} \mu_{g \to x}(x), \qquad
        \mu_{f \to x}(x) = \sum_{x_f \setminus x} f(x_f) \prod_{y \ne x} \mu_{y \to f}(y)

    A message leaves out the receiver's own. Sums of probabilities run as logarithms shifted by
    their maximum (``inference.11``): a chain of ten thousand factors stays finite. Max-product runs
    as min-sum of costs :math:`-\log \phi`.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    evidence : mapping of int to int, optional
        Enters as unary factors that are zero elsewhere (``inference.16``).
    semiring : Semiring or str

    Raises
    ------
    ValueError
        If the factor graph has a cycle.

    Examples
    --------
    >>> chain = FactorModel((2, 2), ((0,), (0, 1)), ([0.6, 0.4], [[0.9, 0.1], [0.2, 0.8]]))
    >>> beliefs = sum_product(chain)
    >>> beliefs.marginals[1].round(3), beliefs.rounds
    (array([0.62, 0.38]), 3)
    """
    model = factors_of("sum_product", model)
    asked = resolve(semiring)
    algebra = LOG_SUM if asked is SUM_PRODUCT else MIN_SUM if asked is MAX_PRODUCT else asked
    tree = _Tree(model, check_evidence("sum_product", model.cardinalities, evidence or {})[0])
    up, down = tree.pass_messages(algebra)
    marginals, total = [], np.asarray(algebra.one)
    for v in range(model.n_variables):
        belief = tree.belief(v, algebra, up, down)
        if v in tree.roots:
            total = algebra.times(total, algebra.reduce(belief, 0))
        if algebra is LOG_SUM:
            top = belief.max()
            belief = np.exp(belief - top) if np.isfinite(top) else np.zeros_like(belief)
            belief = belief / max(belief.sum(), 1e-300)
        marginals.append(belief)
    for f in tree.constants:
        total = algebra.times(total, algebra.lift(model.tables[f]))
    return TreeBeliefs(marginals, total[()] if total.ndim == 0 else total, tree.rounds)


class _Tree:
    """Order of a forest of variables and factors, variables as roots."""

    def __init__(self, model: FactorModel, evidence: Ints) -> None:
        self.model, self.evidence = model, evidence
        self.constants = [f for f, scope in enumerate(model.scopes) if not scope]
        self.around: list[list[int]] = [[] for _ in range(model.n_variables)]
        for f, scope in enumerate(model.scopes):
            for v in scope:
                self.around[v].append(f)
        self.roots: set[int] = set()
        self.order: list[_Link] = []  # (factor, variable nearer to the root), from the roots out
        self.parent: dict[int, int] = {}  # variable -> factor towards the root
        seen = np.zeros(model.n_variables, dtype=bool)
        used: set[int] = set()
        for root in range(model.n_variables):
            if seen[root]:
                continue
            seen[root] = True
            self.roots.add(root)
            queue = [root]
            for v in queue:
                for f in self.around[v]:
                    if f in used:
                        continue
                    used.add(f)
                    self.order.append((f, v))
                    for u in model.scopes[f]:
                        if u == v:
                            continue
                        if seen[u]:
                            raise check.fail(
                                "sum_product", "model", "free of cycles (try JunctionTree)",
                                f"a cycle through variable {u}",
                            )  # fmt: skip
                        seen[u] = True
                        self.parent[u] = f
                        queue.append(u)
        self.rounds = self._diameter()

    def _diameter(self) -> int:
        depth: dict[int, int] = dict.fromkeys(range(self.model.n_variables), 0)
        longest = 0
        for f, v in reversed(self.order):
            below = sorted((depth[u] for u in self.model.scopes[f] if u != v), reverse=True)
            reach = 1 + (below[0] + 1 if below else 0)
            if len(below) > 1:
                longest = max(longest, below[0] + below[1] + 2)
            longest = max(longest, depth[v] + reach)
            depth[v] = max(depth[v], reach)
        return longest

    def _unary(self, v: int, algebra: Semiring) -> Array:
        table = np.ones(self.model.cardinalities[v])
        if self.evidence[v] >= 0:
            table[:] = 0.0
            table[self.evidence[v]] = 1.0
        return algebra.lift(table)

    def _to_factor(
        self, v: int, skip: int, algebra: Semiring, into: Mapping[_Link, Array]
    ) -> Array:
        result = self._unary(v, algebra)
        for g in self.around[v]:
            if g != skip:
                result = algebra.times(result, into[g, v])
        return result

    def _from_factor(
        self, f: int, v: int, algebra: Semiring, messages: Mapping[int, Array]
    ) -> Array:
        table, scope = algebra.lift(self.model.tables[f]), self.model.scopes[f]
        inside = (slice(None),) * algebra.trailing
        for axis, u in enumerate(scope):
            if u != v:
                at = tuple(slice(None) if k == axis else None for k in range(len(scope)))
                table = algebra.times(table, messages[u][at + inside])
        for axis in reversed(range(len(scope))):
            if scope[axis] != v:
                table = algebra.reduce(table, axis)
        return table

    def pass_messages(self, algebra: Semiring) -> tuple[dict[_Link, Any], dict[_Link, Any]]:
        """All messages from factors to variables: towards the roots, and away from them."""
        up: dict[_Link, Any] = {}
        into_factor: dict[_Link, Any] = {}
        for f, v in reversed(self.order):
            scope = self.model.scopes[f]
            for u in scope:
                if u != v:
                    into_factor[f, u] = self._to_factor(u, f, algebra, up)
            messages = {u: into_factor[f, u] for u in scope if u != v}
            up[f, v] = self._from_factor(f, v, algebra, messages)
        down: dict[_Link, Any] = {}
        everything = dict(up)
        for f, v in self.order:
            messages = {u: into_factor[f, u] for u in self.model.scopes[f] if u != v}
            messages[v] = self._to_factor(v, f, algebra, everything)
            for u in self.model.scopes[f]:
                if u != v:
                    down[f, u] = everything[f, u] = self._from_factor(f, u, algebra, messages)
        return up, down

    def belief(
        self, v: int, algebra: Semiring, up: Mapping[_Link, Any], down: Mapping[_Link, Any]
    ) -> Array:
        """Product of all messages into a variable."""
        result = self._unary(v, algebra)
        for f in self.around[v]:
            result = algebra.times(result, up[f, v] if (f, v) in up else down[f, v])
        return result
