"""Rows with targets for mixtures of regressions, in memory or block by block."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats, Indices

Block = tuple[Floats, Floats, Floats]
_ROUNDING = 1e-24  # variance of equal targets, in units of their squared mean


class TargetTotals(NamedTuple):
    """Sums over all rows.

    Parameters
    ----------
    n_rows, n_weighted : int
        Rows, and those with a weight above 0.
    weight : float
        Sum of the weights.
    gram : ndarray of shape (q, q)
    variance : float
        Weighted variance of the targets; 0 where it is that of rounding.
    weights : ndarray of shape (n,)
    """

    n_rows: int
    n_weighted: int
    weight: float
    gram: Floats
    variance: float
    weights: Floats


@dataclass(frozen=True, eq=False)
class TargetRows:
    """Blocks of rows with a one in front, their targets and weights.

    Parameters
    ----------
    blocks : iterable of (rows, targets, weights)
        Read anew on every pass.
    """

    blocks: Iterable[Block]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def totals(self) -> TargetTotals:
        """What a search needs to know before it starts, in two passes.

        Examples
        --------
        >>> rows = TargetRows([(np.ones((2, 1)), np.array([1.0, 3.0]), np.ones(2))])
        >>> rows.totals().variance
        1.0
        """
        weights = [np.empty(0)]
        gram: Floats = np.zeros((0, 0))
        first = 0.0
        for Z, y, w in self:
            part = (Z * w[:, None]).T @ Z
            gram = gram + part if len(gram) else part
            weights.append(w)
            first += float(w @ y)
        held = np.concatenate(weights)
        total = float(held.sum())
        centre = first / total if total else 0.0
        spread = sum(float(w @ (y - centre) ** 2) for _, y, w in self)
        some = int(np.count_nonzero(held))
        variance = spread / (total or 1.0)
        known = variance if variance > _ROUNDING * centre**2 else 0.0
        return TargetTotals(len(held), some, total, gram, known, held)

    def some(self, numbers: Indices) -> tuple[Floats, Floats]:
        """Rows and targets by number."""
        rows: list[Floats] = [np.empty(0)] * len(numbers)
        targets, first = np.empty(len(numbers)), 0
        for Z, y, _ in self:
            for i in np.flatnonzero((numbers >= first) & (numbers < first + len(y))):
                rows[i], targets[i] = Z[numbers[i] - first], y[numbers[i] - first]
            first += len(y)
        return np.array(rows), targets
