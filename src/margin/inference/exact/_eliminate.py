"""Variable elimination with any semiring, and what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from margin.core import check
from margin.core.types import Array
from margin.inference._errors import MemoryLimitError
from margin.inference._factor import Factor
from margin.inference._model import Factored, FactorModel, check_evidence, check_scopes, factors_of
from margin.inference._semiring import SUM_PRODUCT, Semiring, resolve

_LARGEST = 100_000_000.0


@dataclass(frozen=True)
class Operations:
    """Products and sums made, one per table entry.

    Parameters
    ----------
    multiplications : int
    additions : int
        A sum of ``k`` terms takes ``k - 1``.
    terms : int
        Entries that went through a sum: additions, if every sum starts at zero.
    """

    multiplications: int = 0
    additions: int = 0
    terms: int = 0

    @property
    def total(self) -> int:
        """Multiplications, and additions to a sum that starts at zero."""
        return self.multiplications + self.terms

    def __add__(self, other: "Operations") -> "Operations":
        return Operations(
            self.multiplications + other.multiplications,
            self.additions + other.additions,
            self.terms + other.terms,
        )


def naive_operations(
    model: FactorModel | Factored,
    targets: Sequence[int] = (),
    evidence: Mapping[int, int] | None = None,
) -> Operations:
    """What it costs to multiply all factors for every assignment and then add up.

    Examples
    --------
    >>> import numpy as np
    >>> ones = np.ones((2, 2))
    >>> chain = FactorModel((2,) * 4, ((0, 1), (1, 2), (2, 3), (3,)), (ones, ones, ones, [1, 1]))
    >>> naive_operations(chain, evidence={0: 0}).additions, eliminate(chain, (), {0: 0}).operations
    (7, Operations(multiplications=10, additions=5, terms=10))
    """
    model = factors_of("naive_operations", model)
    given = set(evidence or {})
    size = prod(c for v, c in enumerate(model.cardinalities) if v not in given)
    kept = prod(model.cardinalities[v] for v in targets if v not in given)
    return Operations(size * max(0, len(model.scopes) - 1), size - kept, size)


@dataclass(frozen=True)
class Elimination:
    """The answer of variable elimination.

    Parameters
    ----------
    targets : tuple of int
    table : ndarray
        Over the targets, in elements of the semiring; for sum-product the normalised posterior.
    log_evidence : float
        Logarithm of the total mass (sum-product and log-sum; NaN otherwise).
    order : tuple of int
        In which variables were eliminated.
    operations : Operations
    """

    targets: tuple[int, ...]
    table: Array
    log_evidence: float
    order: tuple[int, ...]
    operations: Operations


def eliminate(
    model: FactorModel | Factored,
    targets: Sequence[int] = (),
    evidence: Mapping[int, int] | None = None,
    *,
    semiring: Semiring | str = "sum-product",
    order: Sequence[int] | str = "min-fill",
) -> Elimination:
    r"""Sum out all but the targets, one variable at a time (``inference.04``, ``inference.07``).

    By the distributive law a sum over :math:`x_v` only concerns the factors that contain it, its
    bucket: their product is made, summed, and put back as a new factor. The order decides the cost
    (``inference.05``), which is counted.

    Parameters
    ----------
    model : FactorModel, BayesianNetwork or MarkovNetwork
    targets : sequence of int
        Variables of the answer, which may include observed ones.
    evidence : mapping of int to int, optional
    semiring : Semiring or str
        ``"sum-product"``, ``"max-product"``, ``"min-sum"``, ``"log-sum"``, ``"counting"``,
        ``"boolean"`` or an object such as :class:`KBest`.
    order : sequence of int or {"min-fill", "min-degree", "min-weight"}
        Variables to eliminate, in order, or how to choose the next one.

    Examples
    --------
    >>> chain = FactorModel((2, 2), ((0,), (0, 1)), ([0.6, 0.4], [[0.9, 0.1], [0.2, 0.8]]))
    >>> answer = eliminate(chain, [1])
    >>> answer.table, answer.operations.total
    (array([0.62, 0.38]), 8)
    """
    model = factors_of("eliminate", model)
    algebra = resolve(semiring)
    asked = check_scopes("eliminate", model.cardinalities, [targets])[0]
    row = check_evidence("eliminate", model.cardinalities, evidence or {})[0]
    given = {v: int(s) for v, s in enumerate(row) if s >= 0}
    factors = [
        Factor(scope, algebra.lift(table), algebra).condition(given)
        for scope, table in zip(model.scopes, model.tables, strict=True)
    ]
    hidden = [v for v in range(model.n_variables) if v not in given and v not in asked]
    chosen: list[int] = []
    count = Operations()
    queue = _Order(order, hidden, model.cardinalities)
    while (v := queue.next(factors)) is not None:
        bucket = [f for f in factors if v in f.scope]
        factors = [f for f in factors if v not in f.scope]
        chosen.append(v)
        if not bucket:
            ones = np.broadcast_to(algebra.one, (model.cardinalities[v], *np.shape(algebra.one)))
            bucket = [Factor((v,), ones, algebra)]
        combined, work = _product(bucket, model.cardinalities)
        size = prod(model.cardinalities[u] for u in combined.scope)
        factors.append(combined.sum_out(v))
        count += work + Operations(0, size - size // model.cardinalities[v], size)
    return _answer(factors, asked, given, model, algebra, tuple(chosen), count)


def _product(bucket: list[Factor], cards: tuple[int, ...]) -> tuple[Factor, Operations]:
    union = tuple(sorted({v for factor in bucket for v in factor.scope}))
    size = prod(float(cards[v]) for v in union)
    if size > _LARGEST:
        raise MemoryLimitError(
            f"eliminate: model must have tables of at most {_LARGEST:.0g} entries in this order, "
            f"got {size:.3g} for {union}; try another order or approximate inference",
            union,
            8.0 * size,
        )
    bucket = sorted(bucket, key=lambda f: f.table.size)
    result, n_products = bucket[0], 0
    for factor in bucket[1:]:
        result = result * factor
        n_products += prod(cards[v] for v in result.scope)
    return result, Operations(n_products)


class _Order:
    """The next variable to eliminate, from a list or by a greedy rule."""

    def __init__(self, order: Sequence[int] | str, hidden: list[int], cards: tuple[int, ...]):
        self._left, self._cards = list(hidden), cards
        self._rule = order if isinstance(order, str) else ""
        if self._rule and self._rule not in ("min-fill", "min-degree", "min-weight"):
            wanted = "a sequence or one of 'min-fill', 'min-degree', 'min-weight'"
            raise check.fail("eliminate", "order", wanted, order)
        if not self._rule:
            if sorted(order) != sorted(hidden):
                raise check.fail("eliminate", "order", f"a permutation of {hidden}", order)
            self._left = [int(v) for v in order]

    def next(self, factors: list[Factor]) -> int | None:
        if not self._left:
            return None
        if not self._rule:
            return self._left.pop(0)
        around: dict[int, set[int]] = {}
        for factor in factors:
            for v in factor.scope:
                around.setdefault(v, set()).update(factor.scope)
        best = min(self._left, key=lambda v: self._cost(v, around))
        self._left.remove(best)
        return best

    def _cost(self, v: int, around: dict[int, set[int]]) -> tuple[float, int]:
        mine = around.get(v, set()) - {v}
        if self._rule == "min-degree":
            return float(len(mine)), v
        if self._rule == "min-weight":
            return prod(float(self._cards[u]) for u in mine), v
        return sum(len(mine - around[u]) for u in mine) / 2.0, v


def _answer(
    factors: list[Factor],
    asked: tuple[int, ...],
    given: dict[int, int],
    model: FactorModel,
    algebra: Semiring,
    order: tuple[int, ...],
    count: Operations,
) -> Elimination:
    free = tuple(v for v in asked if v not in given)
    shape = (*(model.cardinalities[v] for v in free), *np.shape(algebra.one))
    total = Factor(free, np.broadcast_to(np.asarray(algebra.one), shape), algebra)
    if factors:
        product, work = _product(factors, model.cardinalities)
        total = total * product
        count += work
    full_shape = (*(model.cardinalities[v] for v in asked), *np.shape(algebra.one))
    table = np.array(np.broadcast_to(algebra.zero, full_shape), dtype=total.table.dtype)
    at = tuple(given.get(v, slice(None)) for v in asked)
    table[at] = total.table
    log_evidence = float("nan")
    if algebra is SUM_PRODUCT:
        mass = float(table.sum())
        with np.errstate(divide="ignore"):
            log_evidence = float(np.log(mass))
        table = table / mass if mass > 0 else table
    elif repr(algebra) == "LOG_SUM":
        log_evidence = float(np.logaddexp.reduce(table, axis=None))
    return Elimination(asked, table, log_evidence, order, count)
