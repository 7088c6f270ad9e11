"""Sums over all pairs of rows of products of distances, without the matrices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import threads
from margin.core.types import Floats, Indices
from margin.native.dependence.blocks import block_product, block_sums
from margin.native.dependence.lines import line_products, sorted_lines, totals


class Together(NamedTuple):
    r"""Sums :math:`\sum_{ij} A_{ij} B_{ij}` and :math:`\sum_i A_{i\cdot} B_{i\cdot}`."""

    product: float
    along: float


@dataclass(frozen=True)
class Alone:
    r"""Sums of the distances within one variable.

    Parameters
    ----------
    n_rows : int
    total : float
        :math:`\sum_{ij} A_{ij}`.
    along : float
        :math:`\sum_i A_{i\cdot}^2`.
    squares : float
        :math:`\sum_{ij} A_{ij}^2`.
    """

    n_rows: int
    total: float
    along: float
    squares: float

    @property
    def variance(self) -> float:
        """Squared distance covariance with itself; 0 where nothing but rounding is left."""
        value = _covariance(self.n_rows, Together(self.squares, self.along), self.total**2)
        return value if value > 1e-14 * self.squares / self.n_rows**2 else 0.0


class PairDistances(ABC):
    """Distances within two variables of the same rows."""

    first: Alone
    second: Alone

    @abstractmethod
    def together(self, order: Indices | None = None) -> Together:
        """Sums over both, with the rows of the second in another order."""

    def covariance(self) -> float:
        """Squared distance covariance."""
        totals = self.first.total * self.second.total
        return _covariance(self.first.n_rows, self.together(), totals)

    def strength(self, order: Indices | None = None) -> float:
        """The part of the covariance that depends on the order, times the number of pairs."""
        product, along = self.together(order)
        return product - 2.0 * along / self.first.n_rows


def pair_distances(x: Floats, y: Floats) -> PairDistances:
    """Distances of finite rows, by the faster way that there is for their columns.

    Examples
    --------
    >>> pair = pair_distances(np.array([[0.0], [1.0]]), np.array([[0.0], [3.0]]))
    >>> pair.together(), pair.first
    (Together(product=6.0, along=6.0), Alone(n_rows=2, total=2.0, along=2.0, squares=2.0))
    """
    return Lines(x[:, 0], y[:, 0]) if x.shape[1] == y.shape[1] == 1 else Blocks(x, y)


class Lines(PairDistances):
    """Distances of numbers: O(n log n) time, O(n) memory."""

    def __init__(self, x: Floats, y: Floats) -> None:
        x, y = x - x.mean(), y - y.mean()
        self._threads = threads.count()
        self._lines = sorted_lines(x, y, self._threads)
        self.first, self.second = (
            Alone(len(rows), total, along, _squares(rows[:, None]))
            for rows, (total, along) in zip((x, y), totals(self._lines), strict=True)
        )

    def together(self, order: Indices | None = None) -> Together:
        """Sums over both, with the rows of the second in another order."""
        return Together(*line_products(self._lines, order, self._threads))


class Blocks(PairDistances):
    """Euclidean distances of rows: O(n^2) time, O(n) memory."""

    def __init__(self, x: Floats, y: Floats) -> None:
        self._x, self._y = x - x.mean(axis=0), y - y.mean(axis=0)
        self._threads = threads.count()
        self._product, *self._sums = block_sums(self._x, self._y, self._threads)
        self.first, self.second = (
            Alone(len(rows), float(sums.sum()), float(sums @ sums), _squares(rows))
            for rows, sums in zip((self._x, self._y), self._sums, strict=True)
        )

    def together(self, order: Indices | None = None) -> Together:
        """Sums over both, with the rows of the second in another order."""
        x_sums, y_sums = self._sums
        if order is None:
            return Together(self._product, float(x_sums @ y_sums))
        product = block_product(self._x, self._y[order], self._threads)
        return Together(product, float(x_sums @ y_sums[order]))


def _covariance(n: int, together: Together, totals: float) -> float:
    return together.product / n**2 - 2.0 * together.along / n**3 + totals / n**4


def _squares(rows: Floats) -> float:
    """Sum of the squared distances of all pairs of rows that have no mean, but for rounding."""
    sums = rows.sum(axis=0)
    return float(2.0 * len(rows) * np.vdot(rows, rows) - 2.0 * (sums @ sums))
