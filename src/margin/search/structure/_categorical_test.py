"""Tests of independence from counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.native.structure import contingency
from margin.search.structure._categories import Categories
from margin.search.structure._independence import IndependenceTest, TestResult, bonferroni

AGGREGATIONS = ("sum", "max", "bonferroni")


@dataclass(frozen=True, eq=False)
class _CountTest(IndependenceTest):
    data: Categories
    aggregate: str = "sum"
    min_count: float = 0.0
    statistic: ClassVar[str]

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATIONS:
            raise ValueError(
                f"{type(self).__name__}: aggregate must be one of {AGGREGATIONS}, "
                f"got {self.aggregate!r}"
            )

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        """Names of the columns."""
        return self.data.names

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        data = self.data
        return TestResult(
            *contingency.categorical_test(
                data.codes,
                data.cards,
                data.weight,
                i,
                j,
                given,
                self.statistic,
                self.aggregate,
                self.min_count,
            )
        )

    def stratified(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        """The test with the outcome of every configuration of ``given`` that has been seen."""
        self.check_columns(i, j, given)
        counts = self.data.counts([*given, i, j])
        tables = counts.reshape(-1, *counts.shape[-2:])
        strata = tuple(table_test(t, self.statistic) for t in tables if t.sum() > 0)
        return _pooled([s for s in strata if s.dof > 0], self.aggregate, strata)


class GTest(_CountTest):
    r"""Likelihood-ratio test of independence in contingency tables (graphical.28).

    :math:`G = 2 \sum N_{xy} \log \frac{N_{xy} N}{N_{x} N_{y}}`, that is :math:`2 N` times the
    empirical mutual information, against :math:`\chi^2` with :math:`(r - 1)(c - 1)` degrees of
    freedom, states never seen in a stratum left out.

    Parameters
    ----------
    data : Categories
        Columns; a test uses the rows that know all of its columns.
    aggregate : {"sum", "max", "bonferroni"}
        How the tests of the strata become one: statistics and degrees of freedom added, the
        largest p-value (which has next to no power), or the smallest times their number.
    min_count : float
        Smallest mean count per cell; below it a test is not reliable (graphical.31).

    Examples
    --------
    >>> from margin.search import Categories
    >>> rows = [[0, 0]] * 30 + [[0, 1]] * 10 + [[1, 0]] * 10 + [[1, 1]] * 30
    >>> table = Categories.of("Example", rows)
    >>> result = GTest(table)(0, 1)
    >>> round(result.statistic, 4), result.dof, round(result.p_value, 8)
    (20.9299, 1.0, 4.76e-06)
    """

    statistic = "g"


class ChiSquaredTest(_CountTest):
    r"""Pearson's test of independence in contingency tables (graphical.30).

    :math:`\chi^2 = \sum (N_{xy} - E_{xy})^2 / E_{xy}` with :math:`E_{xy} = N_x N_y / N`;
    parameters as in :class:`GTest`.

    Examples
    --------
    >>> from margin.search import Categories
    >>> rows = [[0, 0]] * 30 + [[0, 1]] * 10 + [[1, 0]] * 10 + [[1, 1]] * 30
    >>> table = Categories.of("Example", rows)
    >>> ChiSquaredTest(table)(0, 1).statistic
    20.0
    """

    statistic = "chi-squared"


def table_test(table: Floats, statistic: str = "g") -> TestResult:
    """Test of the independence of rows and columns of one table of counts.

    Examples
    --------
    >>> import numpy as np
    >>> round(table_test(np.array([[30.0, 10.0], [10.0, 30.0]]), "chi-squared").statistic, 6)
    20.0
    """
    seen = np.asarray(table, dtype=np.float64)
    seen = seen[seen.sum(axis=1) > 0][:, seen.sum(axis=0) > 0]
    if not seen.size:
        return TestResult(0.0, 0.0, 1.0)
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    if statistic == "g":
        ratio = np.where(seen > 0, seen / expected, 1.0)
        value = max(0.0, float(2.0 * (seen * np.log(ratio)).sum()))
    else:
        value = float(((seen - expected) ** 2 / expected).sum())
    dof = float((seen.shape[0] - 1) * (seen.shape[1] - 1))
    return TestResult(value, dof, contingency.chi_squared_tail(value, dof))


def _pooled(
    tested: Sequence[TestResult], aggregate: str, strata: tuple[TestResult, ...]
) -> TestResult:
    value, dof = sum(t.statistic for t in tested), sum(t.dof for t in tested)
    p_values = [t.p_value for t in tested]
    if aggregate == "sum":
        p_value = contingency.chi_squared_tail(value, dof)
    elif aggregate == "max":
        p_value = max(p_values, default=1.0)
    else:
        p_value = bonferroni(p_values)
    return TestResult(value, dof, p_value, True, strata)
