"""Test of independence between columns of numbers and of categories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core import Iterate, Stop, check, iterate
from margin.core.types import Bools, Floats, Places
from margin.linalg import lstsq
from margin.native.structure import contingency
from margin.search.structure._categories import column_levels, frame_columns
from margin.search.structure._independence import IndependenceTest, TestResult

_NEWTON = Stop("relative gain", 1e-10, 50, keep="last")


@dataclass(frozen=True, eq=False)
class MixedColumns:
    """Columns that are numbers or categories.

    Parameters
    ----------
    names : tuple
        Names of the columns.
    values : ndarray of shape (n_rows, n_columns)
        Numbers, or codes of categories; NaN where unknown.
    n_states : tuple of int
        Number of states of each column, 0 for numbers.

    Examples
    --------
    >>> MixedColumns.of("Example", [[0.5, "a"], [1.5, "b"], [None, "a"]]).n_states
    (0, 2)
    """

    names: tuple[Any, ...]
    values: Floats
    n_states: tuple[int, ...]

    @classmethod
    def of(
        cls, owner: str, frame: Any, *, categorical: Sequence[Any] | None = None
    ) -> MixedColumns:
        """Columns of a frame or array; numbers stay numbers unless named in ``categorical``."""
        names, given = frame_columns(owner, frame)
        unknown = set(categorical or ()) - set(names)
        if unknown:
            raise check.fail(
                owner, "categorical", "columns of the frame", sorted(map(str, unknown))
            )
        columns, sizes = [], []
        for name, column in zip(names, given, strict=True):
            states, code = column_levels(column)
            if not states:
                raise check.fail(owner, f"column {name!r}", "observed somewhere", "no value")
            numeric = all(
                isinstance(s, int | float) and not isinstance(s, bool) for s in states
            ) and name not in (categorical or ())
            lookup = np.array([*(states if numeric else range(len(states))), np.nan], dtype=float)
            columns.append(lookup[code])  # code -1: unknown
            sizes.append(0 if numeric else len(states))
        return cls(names, np.column_stack(columns), tuple(sizes))


@dataclass(frozen=True, eq=False)
class MixedTest(IndependenceTest):
    r"""Likelihood-ratio test of one column's regression on another.

    The response is regressed on the conditioning set with and without the other column: by least
    squares if one of the two is numeric, by softmax regression if both are categories;
    :math:`2 (\ell_1 - \ell_0)` is :math:`\chi^2` with as many degrees of freedom as the other
    column has coefficients. Categories enter as indicators. For Gaussian columns this is the
    test of a partial correlation, for categories without a condition the G-test.

    Parameters
    ----------
    data : MixedColumns
        Columns; a test uses the rows that know all of its columns.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.repeat([0.0, 1.0, 2.0, 3.0], 25)
    >>> frame = [[v, "high" if v > 1 else "low"] for v in x]
    >>> MixedTest(MixedColumns.of("Example", frame))(0, 1).p_value < 1e-20
    True
    """

    data: MixedColumns

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        """Names of the columns."""
        return self.data.names

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        sizes = self.data.n_states
        # A number is the response if there is one; otherwise the column of fewer states.
        if (sizes[j], j) < (sizes[i], i):
            i, j = j, i
        unknown = np.isnan(self.data.values[:, [i, j, *given]])
        rows = np.asarray(~unknown.any(axis=1))
        base = np.hstack([np.ones((int(rows.sum()), 1)), *(self._design(c, rows) for c in given)])
        full = np.hstack([base, self._design(j, rows)])
        y = self.data.values[rows, i]
        rank, more = (int(np.linalg.matrix_rank(m)) if len(m) else 0 for m in (base, full))
        if len(y) <= more + 2:
            return TestResult(0.0, 0.0, 1.0, reliable=False)
        if sizes[i] == 0:
            before, after, width = _residual(base, y), _residual(full, y), 1
            floor = 1e-12 * max(float(y @ y), 1e-300)
            ratio = len(y) * np.log(max(before, floor) / max(after, floor))
        else:
            _, code = np.unique(y, return_inverse=True)
            width = int(code.max())
            ratio = 2 * (_softmax_likelihood(full, code) - _softmax_likelihood(base, code))
        value, dof = max(0.0, float(ratio)), float(width * (more - rank))
        return TestResult(value, dof, contingency.chi_squared_tail(value, dof))

    def _design(self, column: int, rows: Bools) -> Floats:
        values = self.data.values[rows, column]
        if self.data.n_states[column] == 0:
            spread = float(values.std()) if len(values) else 0.0
            scaled = (values - values.mean()) / spread if spread > 0 else values * 0.0
            return np.asarray(scaled[:, None])
        return np.asarray(values[:, None] == np.arange(1, self.data.n_states[column]), dtype=float)


def _residual(X: Floats, y: Floats) -> float:
    coef = lstsq(X, y)
    return float(((y - X @ coef) ** 2).sum())


def _softmax_likelihood(X: Floats, code: Places, ridge: float = 1e-6) -> float:
    """Largest log likelihood of softmax regression; separable data approach it within the ridge."""
    n, p = X.shape
    k = int(code.max())
    if k == 0:
        return 0.0
    Y = (code[:, None] == np.arange(1, k + 1)).astype(float)
    W = np.zeros((p, k))

    def value(weights: Floats) -> float:
        score = np.hstack([np.zeros((n, 1)), X @ weights])
        fit = float((score[np.arange(n), code] - logsumexp(score, axis=1)).sum())
        return fit - 0.5 * ridge * float((weights**2).sum())

    solution = iterate(_newton(X, Y, W, value, ridge), _NEWTON, solver="Newton")
    if solution.interrupted:  # of a larger search
        raise KeyboardInterrupt
    return 0.5 * ridge * float((solution.x**2).sum()) - solution.objective


def _newton(
    X: Floats, Y: Floats, W: Floats, value: Callable[[Floats], float], ridge: float
) -> Iterator[Iterate]:
    """Weights after every step, halved until the likelihood does not fall, and what it gained."""
    (n, p), k = X.shape, Y.shape[1]
    now = value(W)
    for n_iter in count(1):
        score = np.hstack([np.zeros((n, 1)), X @ W])
        P = np.exp(score - logsumexp(score, axis=1, keepdims=True))[:, 1:]
        gradient = (X.T @ (Y - P) - ridge * W).T.ravel()
        H = ridge * np.eye(p * k)
        for a in range(k):
            for b in range(k):
                spread = P[:, a] * ((a == b) - P[:, b])
                H[a * p : (a + 1) * p, b * p : (b + 1) * p] += (X * spread[:, None]).T @ X
        step = lstsq(H, gradient).reshape(k, p).T
        length = 1.0
        while (new := value(W + length * step)) < now and length > 1e-8:
            length /= 2
        W = W + length * step
        yield Iterate(W, -new, (new - now) / (1 + abs(now)), n_iter)
        now = new
