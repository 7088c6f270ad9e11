"""Tables over named axes: the arithmetic of factors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Array
from margin.inference._errors import ZeroProbabilityError
from margin.inference._semiring import SUM_PRODUCT, Semiring


@dataclass(frozen=True)
class Factor:
    r"""A table over some variables, with the operations of probability (``inference.01``).

    Parameters
    ----------
    scope : tuple of int
        Variable of each axis.
    table : ndarray
        Elements of the semiring.
    semiring : Semiring
        What products and sums mean; sum-product by default.

    Examples
    --------
    Bayes' rule: a test that is right in 90 % of cases for a condition of 1 %.

    >>> import numpy as np
    >>> prior = Factor((0,), np.array([0.99, 0.01]))
    >>> test = Factor((0, 1), np.array([[0.9, 0.1], [0.1, 0.9]]))
    >>> posterior = (prior * test).condition({1: 1}).normalise()
    >>> posterior.table.round(4)
    array([0.9167, 0.0833])
    """

    scope: tuple[int, ...]
    table: Array
    semiring: Semiring = SUM_PRODUCT

    def __post_init__(self) -> None:
        table = np.asarray(self.table)
        if table.ndim - self.semiring.trailing != len(self.scope):
            raise ValueError(
                f"Factor: table must have one axis per variable of {self.scope}, got {table.shape}"
            )
        object.__setattr__(self, "table", table)

    def __mul__(self, other: "Factor") -> "Factor":
        scope = self.scope + tuple(v for v in other.scope if v not in self.scope)
        times = self.semiring.times(self._aligned(scope), other._aligned(scope))
        return Factor(scope, times, self.semiring)

    def _aligned(self, scope: Sequence[int]) -> Array:
        order = [self.scope.index(v) for v in scope if v in self.scope]
        rest = range(len(self.scope), self.table.ndim)
        table = self.table.transpose((*order, *rest))
        new_axes = tuple(k for k, v in enumerate(scope) if v not in self.scope)
        return np.expand_dims(table, new_axes)

    def sum_out(self, *variables: int) -> "Factor":
        """Add up the entries over these variables: the semiring's plus."""
        result = self
        for v in variables:
            axis = result.scope.index(v)
            scope = result.scope[:axis] + result.scope[axis + 1 :]
            result = Factor(scope, self.semiring.reduce(result.table, axis), self.semiring)
        return result

    def max_out(self, *variables: int) -> "Factor":
        """Largest entry over these variables."""
        axes = tuple(self.scope.index(v) for v in variables)
        scope = tuple(v for v in self.scope if v not in variables)
        return Factor(scope, self.table.max(axis=axes), self.semiring)

    def marginal(self, *variables: int) -> "Factor":
        """Sum out everything but these variables, in this order of axes."""
        kept = self.sum_out(*(v for v in self.scope if v not in variables))
        return Factor(tuple(variables), kept._aligned(variables), self.semiring)

    def condition(self, states: Mapping[int, int]) -> "Factor":
        """Slice at observed states; the observed variables leave the scope (``inference.16``)."""
        at = tuple(states.get(v, slice(None)) for v in self.scope)
        scope = tuple(v for v in self.scope if v not in states)
        return Factor(scope, self.table[at], self.semiring)

    def clamp(self, states: Mapping[int, int]) -> "Factor":
        """Set entries that disagree with the observed states to zero; the scope stays."""
        table = np.array(
            np.broadcast_to(self.semiring.zero, self.table.shape), dtype=self.table.dtype
        )
        at = tuple(states.get(v, slice(None)) for v in self.scope)
        table[at] = self.table[at]
        return Factor(self.scope, table, self.semiring)

    def normalise(self) -> "Factor":
        """Divide by the sum of all entries.

        Raises
        ------
        ZeroProbabilityError
            If all entries are zero.
        """
        total = self.table.sum()
        if not total > 0:
            raise ZeroProbabilityError("Factor: table must have positive mass, got 0.0")
        return Factor(self.scope, self.table / total, self.semiring)

    def any_of(self, states: Mapping[int, int]) -> float:
        """Probability that at least one of these events happens, of a normalised table.

        Examples
        --------
        >>> fair = Factor((0, 1), np.full((2, 2), 0.25))
        >>> fair.any_of({0: 1, 1: 1})
        0.75
        """
        none = [
            np.delete(np.arange(size), states[v]) if v in states else np.arange(size)
            for v, size in zip(self.scope, self.table.shape, strict=True)
        ]
        return float(self.table.sum() - self.table[np.ix_(*none)].sum())


def dependence(joint: Factor, x: int, y: int, given: Sequence[int] = ()) -> float:
    r"""Largest violation of :math:`p(x, y \mid z) = p(x \mid z) p(y \mid z)` (``inference.03``).

    Zero, up to rounding, exactly when the table says that ``x`` and ``y`` are independent given the
    variables ``given``. Compared after multiplying by :math:`p(z)^2`, so that conditions of
    probability zero do not count.

    Examples
    --------
    >>> import numpy as np
    >>> copy = Factor((0, 1), np.diag([0.5, 0.5]))
    >>> dependence(copy, 0, 1)
    0.25
    """
    z = tuple(given)
    table = joint.normalise()
    full = table.marginal(x, y, *z).table
    x_z, y_z, only_z = table.marginal(x, *z).table, table.marginal(y, *z).table, full.sum((0, 1))
    return float(np.abs(full * only_z - x_z[:, None] * y_z[None, :]).max())
