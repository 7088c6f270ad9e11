"""Test of independence under a normal law in every cell of the categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Indices
from margin.native.structure import contingency
from margin.search.structure._independence import IndependenceTest, TestResult
from margin.search.structure._mixed_test import MixedColumns, MixedTest


@dataclass(frozen=True, eq=False)
class ConditionalGaussianTest(IndependenceTest):
    r"""Likelihood ratio of conditional Gaussian laws.

    Categories have any joint law, and the numbers are normal with a mean and a covariance of their
    own in each cell of the categories. With the largest log likelihood :math:`\ell_A` of the
    columns A,

    .. math:: 2\,(\ell_{S i j} - \ell_{S i} - \ell_{S j} + \ell_S)

    is :math:`\chi^2` if i and j are independent given S. Unlike :class:`MixedTest` it sees that a
    category changes the slope or the variance of a number, at the price of a test with more
    degrees of freedom.

    Parameters
    ----------
    data : MixedColumns
        Columns; a test uses the rows that know all of its columns.

    Notes
    -----
    Cells with too few rows for a covariance are left out, and a test that loses more than half of
    its rows is not reliable. Two categories given numbers are left to :class:`MixedTest`: that a
    number does not tell them apart is a matter of their regression on it, and a normal law in every
    cell would say otherwise wherever a category is made from the number.

    References
    ----------
    B. Andrews, J. Ramsey and G. Cooper, "Scoring Bayesian networks of mixed variables",
    International Journal of Data Science and Analytics 6 (2018).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> frame = [[rng.normal() * (3.0 if k else 1.0), "high" if k else "low"] for k in [0, 1] * 50]
    >>> test = ConditionalGaussianTest(MixedColumns.of("Example", frame))
    >>> test(0, 1).dof, test(0, 1).p_value < 1e-6
    (2.0, True)
    """

    data: MixedColumns

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        """Names of the columns."""
        return self.data.names

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        columns = [i, j, *given]
        kinds = [self.data.n_states[c] > 0 for c in columns]
        if kinds[0] and kinds[1] and not all(kinds):
            return MixedTest(self.data)(i, j, given)
        values = self.data.values[:, columns]
        values = values[~np.isnan(values).any(axis=1)]
        counted = np.array(kinds)
        large = _large_cells(values[:, counted], int((~counted).sum()) + 2)
        n = int(large.sum())
        if n < 2 or 2 * n < len(values):
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        values = _scaled(values[large], counted)
        rest = list(range(2, len(columns)))
        value, dof = 0.0, 0.0
        for sign, part in ((1, [0, 1, *rest]), (-1, [0, *rest]), (-1, [1, *rest]), (1, rest)):
            inside = counted[part]
            likelihood, size = largest_likelihood(
                cells_of(values[:, part][:, inside]), values[:, part][:, ~inside]
            )
            value, dof = value + sign * 2 * likelihood, dof + sign * size
        if dof <= 0:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        value = max(0.0, value)
        return TestResult(value, float(dof), contingency.chi_squared_tail(value, float(dof)))


def largest_likelihood(cell: Indices, numbers: Floats) -> tuple[float, int]:
    """Log likelihood of cells and of normal numbers in each, less constants, and parameters.

    Examples
    --------
    >>> cell = np.array([0, 0, 1, 1])
    >>> likelihood, size = largest_likelihood(cell, np.array([[0.0], [2.0], [0.0], [2.0]]))
    >>> round(likelihood, 4), size
    (-2.7726, 5)
    """
    n, q = numbers.shape
    count = np.bincount(cell)
    total = float((count * np.log(count / n)).sum())
    for at, size in enumerate(count.tolist()) if q else ():
        part = numbers[cell == at]
        part = part - part.mean(axis=0)
        # A column that does not vary within a cell has no density there.
        covariance = part.T @ part / size + 1e-9 * np.eye(q)
        total -= 0.5 * size * float(np.linalg.slogdet(covariance)[1])
    return total, len(count) - 1 + len(count) * (q + q * (q + 1) // 2)


def cells_of(categories: Floats) -> Indices:
    """Number of the cell of every row, those that occur.

    Examples
    --------
    >>> cells_of(np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 1.0]])).tolist()
    [0, 1, 0]
    """
    if not categories.shape[1]:
        return np.zeros(len(categories), dtype=np.int64)
    cell = np.unique(categories, axis=0, return_inverse=True)[1]
    return np.asarray(cell.ravel(), dtype=np.int64)


def _large_cells(categories: Floats, least: int) -> Any:
    """Rows whose cell has enough of them."""
    cell = cells_of(categories)
    return np.bincount(cell, minlength=1)[cell] >= least


def _scaled(values: Floats, counted: Any) -> Floats:
    """Numbers with mean zero and variance one."""
    numbers = values[:, ~counted]
    spread = numbers.std(axis=0)
    scaled = values.copy()
    scaled[:, ~counted] = (numbers - numbers.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return scaled
