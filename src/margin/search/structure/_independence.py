"""The contract of a test of conditional independence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TestResult:
    """Outcome of a test.

    Parameters
    ----------
    statistic, dof : float
        Statistic and its degrees of freedom, where it has them.
    p_value : float
        Probability of a statistic at least as large if the variables are independent: *small*
        values speak for dependence.
    reliable : bool
        Whether there were enough data; an unreliable test separates nothing.
    strata : tuple of TestResult
        The tests per configuration of the conditioning set, where they are kept.
    """

    __test__ = False  # not a test case

    statistic: float
    dof: float
    p_value: float
    reliable: bool = True
    strata: tuple[TestResult, ...] = ()


class IndependenceTest(ABC):
    """A test of the independence of two numbered columns given others.

    Attributes
    ----------
    names : tuple
        Names of the columns.
    """

    names: tuple[Any, ...]

    @abstractmethod
    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        """Test of column ``i`` against column ``j`` given the columns ``given``."""

    def check_columns(self, i: int, j: int, given: Sequence[int]) -> None:
        """Refuse columns that do not exist or occur twice."""
        used = [i, j, *given]
        if len(set(used)) < len(used) or any(not 0 <= c < len(self.names) for c in used):
            raise ValueError(
                f"{type(self).__name__}: columns must be different numbers below "
                f"{len(self.names)}, got {used}"
            )


def bonferroni(p_values: Sequence[float]) -> float:
    """Smallest p-value times their number, at most one (graphical.29).

    The probability that one of :math:`m` true hypotheses is rejected stays below the level, where
    single tests at 0.05 reject one of 20 with probability :math:`1 - 0.95^{20} = 0.6415`.

    Examples
    --------
    >>> bonferroni([0.01, 0.2, 0.9])
    0.03
    """
    return min(1.0, min(p_values) * len(p_values)) if len(p_values) else 1.0
