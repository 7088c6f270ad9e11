"""A linear model as stochastic solvers see it: a mean over rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin import losses, penalties
from margin.core.types import Floats, Indices
from margin.native.rows import products
from margin.native.rows import stochastic as native
from margin.native.rows.momentum import AVERAGED, momentum_epoch
from margin.native.rows.row_order import row_keys, shuffled
from margin.native.rows.row_values import row_value
from margin.optim._problem import Problem
from margin.optim._solver import one_output

_LONG = 2**16  # rows from which an order must spare the memory
_BLOCK = 16

_LOSSES: dict[type[losses.Loss], int] = {
    losses.Squared: native.SQUARED,
    losses.Logistic: native.LOGISTIC,
    losses.Hinge: native.HINGE,
    losses.SquaredHinge: native.SQUARED_HINGE,
    losses.Perceptron: native.PERCEPTRON,
    losses.Huber: native.HUBER,
    losses.EpsilonInsensitive: native.INSENSITIVE,
    losses.ModifiedHuber: native.MODIFIED_HUBER,
    losses.SquaredEpsilonInsensitive: native.SQUARED_INSENSITIVE,
}


@dataclass(frozen=True)
class RowSum:
    r"""The objective :math:`\frac1m \sum_i c_i\, \ell(w^\top x_i + b, y_i) + J(w)` over m rows.

    A step on one row follows :math:`c_i \nabla \ell_i + \nabla J`, whose mean over the rows is the
    gradient of the whole. For a :class:`LinearProblem` of weights :math:`s_i`,
    :math:`c_i = m s_i`.

    Parameters
    ----------
    loss : Loss
    penalty : Penalty
        Absolute, quadratic, both or none.
    rows : Rows
        Matrix, targets and factors :math:`c_i` as the compiled loops take them.
    visits : ndarray of int
        The m rows to visit; rows left out must have the factor zero.
    intercept : bool
        Whether :math:`b` is free.
    n_threads : int
        Threads of the passes that do not depend on their number.
    known_squares : ndarray, optional
        Squared norms of the rows, where the caller has them already.
    """

    loss: losses.Loss
    penalty: penalties.Penalty
    rows: native.Rows
    visits: Indices
    intercept: bool = True
    n_threads: int = 1
    known_squares: Floats | None = None

    @classmethod
    def of(cls, problem: Problem, solver: str) -> "RowSum":
        """View of a problem, or an error that says what the named solver cannot use."""
        linear = one_output(solver, problem)
        n, weight = len(linear.y), linear.weight
        visits = np.arange(n) if weight is None else np.flatnonzero(weight)
        factor = np.full(n, float(n)) if weight is None else len(visits) * weight
        return cls.build(
            linear.X if issparse(linear.X) else np.ascontiguousarray(linear.X),
            linear.y,
            factor,
            linear.loss,
            linear.penalty,
            visits=visits,
            intercept=linear.intercept,
            n_threads=linear.n_threads,
            solver=solver,
        )

    @classmethod
    def build(
        cls,
        X: Any,
        y: Floats,
        factor: Floats | None,
        loss: losses.Loss,
        penalty: penalties.Penalty,
        *,
        visits: NDArray[Any] | None = None,
        intercept: bool = True,
        n_threads: int = 1,
        squares: Floats | None = None,
        solver: str = "RowSum",
    ) -> "RowSum":
        """Row sum of a matrix, targets and factors (ones if absent)."""
        if type(loss) not in _LOSSES:
            known = ", ".join(kind.__name__ for kind in _LOSSES)
            raise ValueError(f"{solver}: loss must be one of {known}, got {type(loss).__name__}")
        if penalty.elastic is None:
            raise ValueError(
                f"{solver}: penalty must be one of Zero, L1, L2, ElasticNet, "
                f"got {type(penalty).__name__}"
            )
        shape = float(getattr(loss, "delta", getattr(loss, "epsilon", 0.0)))
        target = np.ascontiguousarray(loss.targets(y), dtype=np.float64)
        chosen = np.arange(len(y)) if visits is None else visits
        if factor is not None and len(chosen) == len(y) and (factor == 1.0).all():
            factor = None
        rows = native.Rows(_LOSSES[type(loss)], shape, _matrix(X), target, factor)
        order = np.ascontiguousarray(chosen, dtype=np.int64)
        return cls(loss, penalty, rows, order, intercept, n_threads, squares)

    @cached_property
    def l1(self) -> float:
        """Strength of the absolute penalty."""
        return self._strengths[0]

    @cached_property
    def l2(self) -> float:
        """Strength of the quadratic penalty."""
        return self._strengths[1]

    @property
    def _strengths(self) -> tuple[float, float]:
        return self.penalty.elastic or (0.0, 0.0)

    @cached_property
    def squares(self) -> Floats:
        """Squared norm of every row, the column of ones included."""
        known = self.known_squares
        if known is None:
            known = row_keys(self.rows.X, self.n_threads)[1]
        return known + float(self.intercept)

    @cached_property
    def smoothness(self) -> float:
        """Largest curvature of the term of one row, penalty included; a kink counts as 1."""
        return self._largest_curvature(self.squares[self.visits], self.visits)

    @cached_property
    def usual_smoothness(self) -> float:
        """The same, of a part of the rows where they are very many."""
        stride = len(self.visits) // _LONG
        if stride < 2:
            return self.smoothness
        part = self.visits[::stride]
        squares = row_keys(self.rows.X[part])[1] + float(self.intercept)
        return self._largest_curvature(squares, part)

    def _largest_curvature(self, squares: Floats, visits: Indices) -> float:
        bend = self.loss.smoothness if np.isfinite(self.loss.smoothness) else 1.0
        weight = 1.0 if self.rows.weight is None else self.rows.weight[visits]
        return float(bend * np.max(weight * squares, initial=0.0) + self.l2)

    def order(self, seed: int, epoch: int, shuffle: bool) -> Indices:
        """Rows in the order of an epoch, a function of the seed and the number of the epoch.

        Of very many rows, blocks of 16 stay together.
        """
        if not shuffle:
            return self.visits
        block = 1 if len(self.visits) < _LONG else _BLOCK
        return shuffled(
            self.visits, (seed * 0x9E3779B97F4A7C15) ^ (epoch * 0xD1B54A32D192ED03), block
        )

    def pad(self, x: Floats) -> Floats:
        """Coefficients and intercept, which is zero where the model has none."""
        return x.copy() if self.intercept else np.append(x, 0.0)

    def trim(self, w: Floats) -> Floats:
        """The unknowns, from padded coefficients."""
        return w.copy() if self.intercept else w[:-1].copy()

    def value(self, w: Floats) -> float:
        """The whole objective at padded coefficients, without its gradient."""
        rows, kept = self.rows, w
        # One weight that is not zero answers for most points.
        if not (len(w) > 1 and w[0]) and isinstance(rows.X, np.ndarray) and not w[:-1].any():
            rows, kept = replace(rows, X=np.empty((len(rows.y), 0))), w[-1:].copy()
        total = row_value(rows, kept, self.n_threads)
        return total / max(len(self.visits), 1) + self.penalty.value(w[:-1])

    def gradient(self, w: Floats) -> Floats:
        """Subgradient of least norm of the whole objective, padded."""
        slope = np.zeros_like(w)
        if isinstance(self.rows.X, np.ndarray) and self.loss.native_id is not None:
            X, y, weight = self.rows.X, self.rows.y, self.rows.weight
            products.linear_pass(
                self.loss.native_id, X, y, weight, w[:-1].copy(), w[-1], None, slope, self.n_threads
            )
            slope /= max(len(self.visits), 1)
        elif len(self.visits):
            # One step of length zero on all rows, remembering nothing else, leaves their gradient.
            still, size = np.zeros(1), len(self.visits)
            momentum_epoch(
                AVERAGED, 1.0, self.rows, self.visits, size, still, 0.0, True, w.copy(), slope,
                np.zeros_like(w),
            )  # fmt: skip
        slope[:-1] = self.penalty.least_subgradient(w[:-1], slope[:-1])
        slope[-1] = slope[-1] if self.intercept else 0.0
        return slope


def _matrix(X: Any) -> Any:
    """Rows as the compiled loops take them: C order, or CSR with distinct columns."""
    if isinstance(X, np.ndarray):
        kind = X.dtype if X.dtype in (np.float32, np.float64) else np.float64
        return np.ascontiguousarray(X, dtype=kind)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
