"""The algebra of message passing: what "plus" and "times" mean."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats

Table = Array


@dataclass(frozen=True)
class Semiring(ABC):
    r"""A commutative semiring :math:`(R, \oplus, \otimes)` over arrays (``inference.14``).

    Message passing only uses that plus and times are associative and commutative with neutral
    elements, that times distributes over plus, and that the neutral element of plus annihilates:
    :math:`0 \otimes a = 0`.

    Elements may carry trailing axes (the ``k`` values of :class:`KBest`), which tables then have
    after the axes of their variables.
    """

    @property
    @abstractmethod
    def zero(self) -> Any:
        """Neutral element of plus, annihilator of times."""

    @property
    @abstractmethod
    def one(self) -> Any:
        """Neutral element of times."""

    @abstractmethod
    def plus(self, a: Table, b: Table) -> Table:
        """Combine alternatives, entry by entry."""

    @abstractmethod
    def times(self, a: Table, b: Table) -> Table:
        """Combine factors, entry by entry, with broadcasting."""

    @abstractmethod
    def lift(self, table: Floats) -> Table:
        """Elements that stand for the entries of a non-negative factor table."""

    @property
    def trailing(self) -> int:
        """Axes of one element."""
        return 0

    def reduce(self, table: Table, axis: int) -> Table:
        """Sum over one axis with ``plus``."""
        parts = np.moveaxis(table, axis, 0)
        total: Table = parts[0]
        for part in parts[1:]:
            total = self.plus(total, part)
        return total


@dataclass(frozen=True)
class _Ufuncs(Semiring):
    name: str
    add: np.ufunc
    multiply: np.ufunc
    neutral: tuple[Any, Any]
    logarithm: float = 0.0
    dtype: type = np.float64

    @property
    def zero(self) -> Any:
        return self.neutral[0]

    @property
    def one(self) -> Any:
        return self.neutral[1]

    def plus(self, a: Table, b: Table) -> Table:
        result: Table = self.add(a, b)
        return result

    def times(self, a: Table, b: Table) -> Table:
        result: Table = self.multiply(a, b)
        return result

    def reduce(self, table: Table, axis: int) -> Table:
        result: Table = self.add.reduce(table, axis=axis)
        return result

    def lift(self, table: Floats) -> Table:
        if not self.logarithm:
            return (table > 0).astype(self.dtype) if self.dtype is not np.float64 else table
        with np.errstate(divide="ignore"):
            return self.logarithm * np.log(table)

    def __repr__(self) -> str:
        return self.name


SUM_PRODUCT = _Ufuncs("SUM_PRODUCT", np.add, np.multiply, (0.0, 1.0))
# On non-negative numbers the annihilator of max-product is 0, not minus infinity.
MAX_PRODUCT = _Ufuncs("MAX_PRODUCT", np.maximum, np.multiply, (0.0, 1.0))
MIN_SUM = _Ufuncs("MIN_SUM", np.minimum, np.add, (np.inf, 0.0), logarithm=-1.0)
LOG_SUM = _Ufuncs("LOG_SUM", np.logaddexp, np.add, (-np.inf, 0.0), logarithm=1.0)
COUNTING = _Ufuncs("COUNTING", np.add, np.multiply, (0, 1), dtype=np.int64)
BOOLEAN = _Ufuncs("BOOLEAN", np.logical_or, np.logical_and, (False, True), dtype=np.bool_)


@dataclass(frozen=True)
class KBest(Semiring):
    r"""The ``k`` largest products, in descending order (``inference.13``).

    :math:`a \oplus b` keeps the ``k`` largest of both lists, :math:`a \otimes b` the ``k`` largest
    pairwise products; entries are logarithms, missing ones -inf.

    Examples
    --------
    >>> import numpy as np
    >>> two = KBest(2)
    >>> a, b = np.log([[0.5, 0.2]]), np.log([[0.4, 0.1]])
    >>> np.exp(two.plus(a, b)).round(3), np.exp(two.times(a, b)).round(3)
    (array([[0.5, 0.4]]), array([[0.2 , 0.08]]))
    """

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise check.fail(self, "k", "an integer of at least 1", self.k)

    @property
    def zero(self) -> Any:
        return np.full(self.k, -np.inf)

    @property
    def one(self) -> Any:
        return np.concatenate([[0.0], np.full(self.k - 1, -np.inf)])

    @property
    def trailing(self) -> int:
        return 1

    def plus(self, a: Table, b: Table) -> Table:
        shape = np.broadcast_shapes(a.shape, b.shape)
        both = np.concatenate([np.broadcast_to(a, shape), np.broadcast_to(b, shape)], axis=-1)
        return self._largest(both)

    def times(self, a: Table, b: Table) -> Table:
        pairs = a[..., :, None] + b[..., None, :]
        return self._largest(pairs.reshape(*pairs.shape[:-2], self.k * self.k))

    def _largest(self, values: Table) -> Table:
        return -np.sort(-values, axis=-1)[..., : self.k]

    def lift(self, table: Floats) -> Table:
        lifted = np.full((*table.shape, self.k), -np.inf)
        with np.errstate(divide="ignore"):
            lifted[..., 0] = np.log(table)
        return lifted


_NAMED: dict[str, Semiring] = {
    "sum-product": SUM_PRODUCT,
    "max-product": MAX_PRODUCT,
    "min-sum": MIN_SUM,
    "log-sum": LOG_SUM,
    "counting": COUNTING,
    "boolean": BOOLEAN,
}


def resolve(semiring: Semiring | str) -> Semiring:
    """A semiring, or one of the names of the usual ones.

    Examples
    --------
    >>> resolve("min-sum")
    MIN_SUM
    """
    if isinstance(semiring, Semiring):
        return semiring
    if semiring not in _NAMED:
        wanted = f"a Semiring or one of {', '.join(map(repr, _NAMED))}"
        raise check.fail("semirings", "semiring", wanted, semiring)
    return _NAMED[semiring]


def axiom_violation(semiring: Semiring, a: Table, b: Table, c: Table) -> float:
    """Largest violation of the semiring axioms at three arrays of elements; zero in theory.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> axiom_violation(SUM_PRODUCT, *rng.random((3, 5))) < 1e-15
    True
    """
    plus, times = semiring.plus, semiring.times
    zero, one = np.asarray(semiring.zero), np.asarray(semiring.one)
    pairs = [
        (plus(a, b), plus(b, a)),
        (times(a, b), times(b, a)),
        (plus(plus(a, b), c), plus(a, plus(b, c))),
        (times(times(a, b), c), times(a, times(b, c))),
        (times(a, plus(b, c)), plus(times(a, b), times(a, c))),
        (plus(a, np.broadcast_to(zero, a.shape)), a),
        (times(a, np.broadcast_to(one, a.shape)), a),
        (times(a, np.broadcast_to(zero, a.shape)), np.broadcast_to(zero, a.shape)),
    ]
    gaps = [_gap(np.asarray(left, float), np.asarray(right, float)) for left, right in pairs]
    return float(np.max(gaps))  # NaN, not a number below anything, if an axiom gives one


def _gap(left: Table, right: Table) -> float:
    same = left == right
    if same.all():
        return 0.0
    return float(np.abs(left[~same] - right[~same]).max())
