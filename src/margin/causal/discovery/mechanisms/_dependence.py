"""How much residuals depend on other columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.search import IndependenceTest, bonferroni, hsic_gamma

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


def joint_hsic(residual: Floats, block: Floats) -> Dependence:
    """Hilbert–Schmidt test of a column against the whole block at once.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 80)
    >>> joint_hsic(x**2, np.column_stack([x, np.cos(9 * x)])).p_value < 1e-3
    True
    """
    null = hsic_gamma(_unit(residual[:, None]), block)
    return Dependence(null.p_value, null.surprise)


def measure(owner: str, test: Any) -> Measure:
    """The test that a parameter names: "hsic", or what makes one from columns of numbers."""
    if isinstance(test, str) and test == "hsic":
        return joint_hsic
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
