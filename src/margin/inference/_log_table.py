"""Tables of logarithms over sorted variables, scaled to a largest entry of zero."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class LogTable:
    r"""A non-negative function :math:`e^{s} e^{t(x)}` with :math:`\max t = 0` (``inference.11``).

    The logarithms are kept relative to the largest, so that they lose no digits however small the
    function is. A function that is zero everywhere has entries of :math:`-\infty`.

    Parameters
    ----------
    scope : tuple of int
        Variables of the axes, in rising order.
    values : ndarray
        The logarithms :math:`t`.
    shift : float
        The logarithm :math:`s` of the scale.

    Examples
    --------
    >>> table = scaled((3,), np.log([2.0, 8.0]))
    >>> table.values.round(3), round(table.shift, 3)
    (array([-1.386,  0.   ]), 2.079)
    """

    scope: tuple[int, ...]
    values: Floats
    shift: float

    def at(self, states: Mapping[int, int]) -> "LogTable":
        """The function with some of its variables fixed, without their axes."""
        if states.keys().isdisjoint(self.scope):
            return self
        where = tuple(states.get(v, slice(None)) for v in self.scope)
        return LogTable(tuple(v for v in self.scope if v not in states),
                        np.asarray(self.values[where]), self.shift)  # fmt: skip


def scaled(scope: tuple[int, ...], values: Floats, shift: float = 0.0) -> LogTable:
    """A table of logarithms over a sorted scope, brought to a largest entry of zero."""
    largest = float(values.max())
    if largest in (-np.inf, 0.0):
        return LogTable(scope, values, shift)
    return LogTable(scope, values - largest, shift + largest)


def log_of(scope: Sequence[int], table: Floats) -> LogTable:
    """Logarithm of a factor, its axes brought into the order of the variables."""
    order = np.argsort(scope)
    with np.errstate(divide="ignore"):
        values = np.log(table.transpose(tuple(order)))
    return scaled(tuple(int(scope[k]) for k in order), values)


def product(scope: tuple[int, ...], sizes: Sequence[int], tables: Sequence[LogTable]) -> LogTable:
    """Product of tables whose variables all lie in ``scope``; not scaled again."""
    values = np.zeros(sizes)
    for table in tables:
        shape = iter(table.values.shape)
        inside = set(table.scope)
        values += table.values.reshape([next(shape) if v in inside else 1 for v in scope])
    return LogTable(scope, values, sum(table.shift for table in tables))


def summed(table: LogTable, keep: tuple[int, ...]) -> LogTable:
    r"""Sum over the variables outside ``keep``: :math:`\log \sum \exp` along their axes.

    Every kept entry is shifted by its own largest term, so none underflows.

    Examples
    --------
    >>> pair = LogTable((0, 1), np.array([[0.0, -900.0], [-2000.0, -2000.0]]), 0.0)
    >>> summed(pair, (0,)).values.round(3)
    array([    0.   , -1999.307])
    """
    away = tuple(k for k, v in enumerate(table.scope) if v not in keep)
    if not away or prod(table.values.shape[k] for k in away) == 1:
        kept = tuple(v for v in table.scope if v in keep)
        return scaled(kept, table.values.squeeze(away), table.shift)
    largest = table.values.max(axis=away, keepdims=True)
    anchor = np.where(largest == -np.inf, 0.0, largest)
    with np.errstate(divide="ignore"):
        values = np.log(np.exp(table.values - anchor).sum(axis=away))
    values = values + anchor.squeeze(away)
    return scaled(tuple(v for v in table.scope if v in keep), values, table.shift)


def distribution(table: LogTable) -> tuple[Floats, float]:
    """Entries normalised to one, and the logarithm of their sum; zeros and -inf if it is zero."""
    table = scaled(table.scope, table.values, table.shift)
    weight = np.exp(table.values)
    total = float(weight.sum())
    if total == 0.0:
        return weight, -np.inf
    return weight / total, table.shift + float(np.log(total))
