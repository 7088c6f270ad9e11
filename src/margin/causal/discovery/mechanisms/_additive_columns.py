"""Sums of smooth functions of any columns of a table, from one Gram matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats, Places
from margin.linalg import lstsq
from margin.linear.curves._additive_basis import SplineBasis
from margin.linear.curves._fellner_schall import fellner_schall
from margin.linear.curves._restricted_likelihood import RestrictedLikelihood

_RANK = 1e-10


# Logarithm of a relative strength: beyond it columns hardly count, and a search would rest there.
_STRONG = 2.0


@dataclass(frozen=True, eq=False)
class AdditiveColumns:
    """Spline columns of every variable with all their inner products.

    Any regression of one variable on smooth functions of others then needs the rows only for its
    residuals.

    Parameters
    ----------
    values : ndarray of shape (n_rows, p)
        The variables, standardised.
    columns : ndarray of shape (n_rows, q)
        Centred splines of all variables, side by side; the first of each variable is a line.
    ends : ndarray of shape (p + 1,)
        Where the columns of each variable begin.
    gram : ndarray of shape (q, q)
    moment : ndarray of shape (q, p)
        Inner products of columns and variables.
    """

    values: Floats
    columns: Floats
    ends: Places
    gram: Floats
    moment: Floats

    @classmethod
    def of(cls, values: Floats, n_knots: int) -> AdditiveColumns:
        """Columns with knots at quantiles of each variable.

        Examples
        --------
        >>> x = np.linspace(-1, 1, 50)
        >>> table = AdditiveColumns.of(np.column_stack([x, x**2 - np.mean(x**2)]), 6)
        >>> bool(np.abs(table.residual(1, [0])).max() < 1e-3), table.width(0)
        (True, 7)
        """
        weight = np.ones(len(values))
        blocks = [SplineBasis.of(x, weight, n_knots).columns(x) for x in values.T]
        ends = np.concatenate([[0], np.cumsum([block.shape[1] for block in blocks])])
        columns = np.ascontiguousarray(np.hstack(blocks))
        return cls(values, columns, ends.astype(np.intp), columns.T @ columns, columns.T @ values)

    def width(self, variable: int) -> int:
        """Columns of a variable."""
        return int(self.ends[variable + 1] - self.ends[variable])

    def places(self, variables: Sequence[int]) -> Places:
        """Columns of several variables, one after the other."""
        parts = [np.arange(self.ends[v], self.ends[v + 1]) for v in variables]
        return np.concatenate([np.empty(0, dtype=np.intp), *parts]).astype(np.intp)

    def residual(self, target: int, causes: Sequence[int]) -> Floats:
        """What smooth functions of the causes leave of the target."""
        return self.regression(target, causes)[0]

    def regression(
        self, target: int, causes: Sequence[int], start: Floats | None = None
    ) -> tuple[Floats, Floats]:
        """What smooth functions of the causes leave of the target, and how smooth they are.

        That is decided by restricted likelihood: the logarithms of the strengths for all lines,
        then for the bends of every cause, searched from ``start``.
        """
        x = self.values[:, target]
        if not len(causes):
            return np.asarray(x - x.mean()), np.zeros(1)
        used = self.places(causes)
        width = np.diff(self.ends)[list(causes)]
        group = np.repeat(np.arange(1, len(causes) + 1), width)
        group[np.cumsum(width) - width] = 0
        # A column of two values does not bend.
        present, packed = np.unique(group, return_inverse=True)
        likelihood = RestrictedLikelihood(
            self.gram[np.ix_(used, used)],
            self.moment[used, target],
            float(x @ x),
            float(len(x)),
            packed.astype(np.intp),
        )
        strengths = fellner_schall(likelihood, None if start is None else start[present]).x
        coef, theta = np.zeros(len(self.gram)), np.zeros(len(causes) + 1)
        coef[used], theta[present] = strengths.coef, strengths.theta
        return np.asarray(x - self.columns @ coef), theta

    def squares(self, target: int, used: Places) -> float:
        """Residual sum of squares on unpenalised columns."""
        x = self.values[:, target]
        if not len(used):
            return float(x @ x)
        moment = self.moment[used, target]
        coef = lstsq(self.gram[np.ix_(used, used)], moment, _RANK)
        return max(float(x @ x - moment @ coef), 1e-12 * float(x @ x))


class AdditiveRegression:
    """Residuals of additive regressions one after the other.

    Each search for strengths begins at those that the same target had last: with a cause less
    they are nearly the same.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 50)
    >>> table = AdditiveColumns.of(np.column_stack([x, x**2 - np.mean(x**2)]), 6)
    >>> regress = AdditiveRegression(table)
    >>> bool(np.abs(regress(1, [0])).max() < 1e-3)
    True
    """

    def __init__(self, table: AdditiveColumns) -> None:
        self._table = table
        p = table.values.shape[1]
        # Of the lines of every target, and of the bends of every target and cause.
        self._lines, self._bends = np.zeros(p), np.zeros((p, p))

    def __call__(self, target: int, causes: Sequence[int]) -> Floats:
        known = np.concatenate([[self._lines[target]], self._bends[target, list(causes)]])
        start = np.minimum(known, _STRONG)
        residual, theta = self._table.regression(target, causes, start)
        if len(causes):
            self._lines[target] = theta[0]
            self._bends[target, list(causes)] = theta[1:]
        return residual
