"""Sums of functions of the data: the statistics of most exponential families."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions.statistics._weights import (
    blocks,
    is_shared,
    responsibilities,
    row_weights,
)


@dataclass(frozen=True, eq=False)
class Totals:
    r"""Weight and weighted sums :math:`\sum_i w_i T(x_i)` of ``p`` functions (distributions.37).

    A commutative monoid: ``a + b`` are the sums over the rows of both. What is not observed (NaN)
    is left out. With a matrix of weights, a column for each of ``k`` members, both are stacked
    along a first axis.

    Parameters
    ----------
    weight : ndarray of shape (...)
        Total weight of the observed entries.
    total : ndarray of shape (..., p)
        The sums; the last axis runs over the functions.

    Examples
    --------
    >>> a, b = Totals.of([[1.0], [2.0]]), Totals.of([[5.0]])
    >>> a + b
    Totals(weight=array(3.), total=array([8.]))
    """

    weight: Floats
    total: Floats

    @classmethod
    def of(cls, values: ArrayLike, weight: ArrayLike | None = None) -> Self:
        """Sums over the first axis of ``values``.

        Parameters
        ----------
        values : array-like of shape (n, ..., p)
            :math:`T(x)` of every entry; one with NaN is left out.
        weight : array-like of shape (n,) or (n, k), optional
            Non-negative weights; all ones when absent.
        """
        values = np.asarray(values, dtype=np.float64)
        n, event = len(values), values.shape[1:-1]
        seen = ~np.isnan(values).any(axis=-1)
        if weight is not None and is_shared(weight):
            shares = responsibilities(cls.__name__, weight, n)
            shape = (shares.shape[1], *event)
        else:
            shares = row_weights(cls.__name__, weight, n)[:, None]
            shape = event
        p, cells = values.shape[-1], int(np.prod(event))
        total = np.zeros((shares.shape[1], cells * p))
        observed = np.zeros((shares.shape[1], cells))
        for part in blocks(n, cells * p):
            kept = np.where(seen[part][..., None], values[part], 0.0)
            total += shares[part].T @ kept.reshape(len(kept), cells * p)
            observed += shares[part].T @ seen[part].reshape(len(kept), cells).astype(np.float64)
        return cls(observed.reshape(shape), total.reshape(*shape, p))

    @classmethod
    def stack(cls, members: list["Totals"]) -> Self:
        """Statistics of several members as one, along a new first axis."""
        return cls(np.array([m.weight for m in members]), np.array([m.total for m in members]))

    def __add__(self, other: "Totals") -> "Totals":
        if not isinstance(other, Totals):
            return NotImplemented
        if self.total.shape != other.total.shape:
            raise check.fail(self, "shape", f"{self.total.shape}", other.total.shape)
        return Totals(np.asarray(self.weight + other.weight), self.total + other.total)

    def __radd__(self, other: int) -> "Totals":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, key: Any) -> "Totals":
        return Totals(np.asarray(self.weight[key]), np.asarray(self.total[key]))

    @property
    def means(self) -> Floats:
        """The sums divided by the weight; 0 where nothing was observed."""
        weight = np.asarray(self.weight)[..., None]
        return np.asarray(self.total / np.where(weight > 0, weight, 1.0))
