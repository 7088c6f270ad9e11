"""Test of partial correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erfc, erfcinv

from margin.linalg import lstsq
from margin.search.structure._independence import IndependenceTest, TestResult
from margin.search.structure._moments import Moments


@dataclass(frozen=True, eq=False)
class FisherZ(IndependenceTest):
    r"""Test of zero partial correlation of Gaussian columns.

    :math:`z = \sqrt{n - |S| - 3}\; \operatorname{artanh} r_{ij \cdot S}` is standard normal when
    columns :math:`i` and :math:`j` are independent given :math:`S`.

    Parameters
    ----------
    data : Moments
        Moments of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> data = Moments((0, 1), np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]), 28.0)
    >>> result = FisherZ(data)(0, 1)
    >>> round(result.statistic, 6), round(result.p_value, 6)
    (2.746531, 0.006023)
    """

    data: Moments

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        """Names of the columns."""
        return self.data.names

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        room = self.data.n_rows - len(given) - 3
        r = partial_correlation(self.data, i, j, given)
        if room <= 0:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        z = float(np.sqrt(room) * np.arctanh(min(abs(r), 1 - 1e-15)))
        return TestResult(z, 0.0, float(erfc(z / np.sqrt(2.0))))


def partial_correlation(data: Moments, i: int, j: int, given: Sequence[int]) -> float:
    """Correlation of what a regression on ``given`` leaves of columns ``i`` and ``j``.

    A column that ``given`` determines has nothing left, and correlation zero.
    """
    r = data.correlation
    ends, inside = [i, j], list(given)
    left = r[np.ix_(ends, ends)]
    if inside:
        across = r[np.ix_(inside, ends)]
        left = left - across.T @ lstsq(r[np.ix_(inside, inside)], across, 1e-10)
    if left[0, 0] <= 1e-10 or left[1, 1] <= 1e-10:
        return 0.0
    return float(np.clip(left[0, 1] / np.sqrt(left[0, 0] * left[1, 1]), -1.0, 1.0))


def z_cut(alpha: float) -> float:
    """Absolute value that a standard normal variable exceeds with probability ``alpha``.

    Examples
    --------
    >>> round(z_cut(0.05), 6)
    1.959964
    """
    return float(np.sqrt(2.0) * erfcinv(alpha))
