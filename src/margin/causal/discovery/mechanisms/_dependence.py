"""How much residuals depend on other columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check, threads
from margin.core.types import Floats
from margin.native.dependence.features import median_distance
from margin.native.structure.hilbert import centred_products, gaussian_triangle
from margin.search import GammaNull, IndependenceTest, bonferroni

_MEDIAN_ROWS = 200

Measure = Callable[[Floats, Floats], "Dependence"]


@dataclass(frozen=True)
class Dependence:
    """Outcome of a test of one column against a block of columns.

    Parameters
    ----------
    p_value : float
        Small values speak for dependence.
    surprise : float
        How far the statistic lies in the tail: compares where p-values are all zero.
    """

    p_value: float
    surprise: float

    @property
    def rank(self) -> tuple[float, float]:
        """Sorts from the weakest to the strongest dependence."""
        return -self.p_value, self.surprise


@dataclass(frozen=True, eq=False)
class HilbertBlock:
    """Gaussian kernel of the rows of a block of columns, ready for any number of tests.

    Parameters
    ----------
    kernel : ndarray of shape (n (n - 1) / 2,)
        Below the diagonal, row by row.
    means : ndarray of shape (n,)
        Of all rows.
    """

    kernel: Floats
    means: Floats

    @classmethod
    def of(cls, X: Floats) -> HilbertBlock:
        """Gaussian kernel as wide as the median distance among at most 200 rows."""
        columns = np.ascontiguousarray(X.T)
        some = columns[:, :: max(1, len(X) // _MEDIAN_ROWS)][:, :_MEDIAN_ROWS]
        width = median_distance(some.T) or 1.0
        return cls(*gaussian_triangle(columns, width, threads.count()))

    @property
    def off_diagonal(self) -> float:
        """Mean of the kernel over pairs of different rows."""
        n = len(self.means)
        return float((self.means.sum() - 1.0) / (n - 1.0))

    def against(self, other: HilbertBlock) -> GammaNull:
        """As :func:`margin.search.hsic_gamma`, up to the widths of the kernels."""
        n = float(len(self.means))
        total, squares = centred_products(
            self.kernel, self.means, other.kernel, other.means, threads.count()
        )
        mean = (1.0 - self.off_diagonal) * (1.0 - other.off_diagonal)
        factor = 2.0 * (n - 4.0) * (n - 5.0) / ((n - 2.0) * (n - 3.0))
        return GammaNull(total / n, mean, factor * squares / (n - 1.0) ** 2)


class JointHSIC:
    """Hilbert–Schmidt test of a column against a whole block of columns at once.

    The kernel of the last block is kept: many residuals are held against the same one.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 80)
    >>> JointHSIC()(x**2, np.column_stack([x, np.cos(9 * x)])).p_value < 1e-3
    True
    """

    def __init__(self) -> None:
        self._last: tuple[Floats, HilbertBlock] | None = None

    def __call__(self, residual: Floats, block: Floats) -> Dependence:
        if self._last is None or not np.array_equal(self._last[0], block):
            self._last = block, HilbertBlock.of(block)
        null = HilbertBlock.of(_unit(residual[:, None])).against(self._last[1])
        return Dependence(null.p_value, null.surprise)


def measure(owner: str, test: Any) -> Measure:
    """The test that a parameter names: "hsic", or what makes one from columns of numbers."""
    if isinstance(test, str) and test == "hsic":
        return JointHSIC()
    if not callable(test):
        raise check.fail(owner, "test", '"hsic" or a callable that makes a test of columns', test)

    def pairwise(residual: Floats, block: Floats) -> Dependence:
        pairs = test(np.column_stack([_unit(residual[:, None]), block]))
        if not isinstance(pairs, IndependenceTest):
            raise check.fail(owner, "test", "a callable that makes an IndependenceTest", pairs)
        results = [pairs(0, j) for j in range(1, block.shape[1] + 1)]
        p_value = bonferroni([result.p_value for result in results])
        return Dependence(p_value, max(result.statistic for result in results))

    return pairwise


def _unit(X: Floats) -> Floats:
    spread = X.std(axis=0)
    return np.asarray((X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
