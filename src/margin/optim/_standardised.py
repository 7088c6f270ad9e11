"""Minimisation in units of the data."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats
from margin.native.rows import moments
from margin.native.rows.unit_newton import UnitRows
from margin.optim._linear_problem import LinearProblem
from margin.optim._problem import Expansion, Problem

_FAR = 1e3  # means beyond this many standard deviations: sums of squares lose six digits
_ENOUGH = 8192  # rows, enough for the units of the columns
_FEW = 128  # columns, and
_SMALL = 1e7  # products of a Hessian, up to which one compiled loop makes it and solves with it
_ROUNDING = 1e-24  # a variance below this share of the mean square is rounding


@dataclass(frozen=True)
class Standardised(Problem):
    r"""A linear problem in the coefficients of its standardised features.

    The unknowns are :math:`u_j = s_j w_j` and :math:`c = b + \sum_j m_j w_j`, with :math:`m` the
    means and :math:`s` the standard deviations of the columns. The objective is the same number,
    so is its minimiser; but steps, conditioning and the gradient norm that stops the search no
    longer depend on the units of the features. The data are neither copied nor made dense.

    Parameters
    ----------
    problem : LinearProblem
    centre, scale : ndarray of shape (p,)
        Means (zeros without an intercept) and standard deviations of the columns.
    shift : ndarray of shape (p,)
        What was already subtracted from the columns of ``problem``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Squared
    >>> from margin.penalties import Zero
    >>> X, y = np.array([[1e6], [1e6 + 2]]), np.array([0.0, 4.0])
    >>> problem = standardised(LinearProblem(X, y, None, Squared(), Zero()))
    >>> coef, intercept = problem.unpack(np.array([2.0, 2.0]))
    >>> coef.ravel(), (X @ coef + intercept).ravel()
    (array([2.]), array([0., 4.]))
    """

    problem: LinearProblem
    centre: Floats
    scale: Floats
    shift: Floats

    @property
    def dimension(self) -> int:  # type: ignore[override]
        """Number of unknowns."""
        return self.problem.dimension

    @property
    def provides(self) -> frozenset[str]:  # type: ignore[override]
        """What a change of variables keeps."""
        return self.problem.provides & {"gradient", "hessian", "hessian_product", "prox"}

    def raw(self, u: Floats) -> Floats:
        """Unknowns of the underlying problem."""
        cut = len(self.scale)
        unscaled = u.reshape(-1, self.problem.n_outputs).copy()
        unscaled[:cut] /= self.scale[:, None]
        unscaled[cut:] -= self.centre @ unscaled[:cut]
        return unscaled.ravel()

    def unpack(self, u: Floats) -> tuple[Floats, Floats]:
        """Coefficients and intercepts of the features as they came."""
        coef, intercept = self.problem.unpack(self.raw(u))
        return coef, intercept - self.shift @ coef

    def pack(self, coef: Floats, intercept: Floats) -> Floats:
        """Unknowns of given coefficients and intercepts: what :meth:`unpack` undoes."""
        centred = intercept + (self.centre + self.shift) @ coef
        return self.problem.pack(self.scale[:, None] * coef, centred)

    def prox(self, x: Floats, step: float) -> Floats:
        """Proximal step of the penalty, whose strength in the new unknowns differs by column."""
        if self.problem.penalty.smooth:
            return x
        cut = len(self.scale)
        moved = x.reshape(-1, self.problem.n_outputs).copy()
        scale = self.scale[:, None]
        # Elementwise formulas take one step per row; the contract promises one for all.
        steps: Any = step / scale**2
        moved[:cut] = scale * self.problem.penalty.prox(moved[:cut] / scale, steps)
        return moved.ravel()

    @cached_property
    def _compiled(self) -> UnitRows | None:
        """The problem for the compiled loops, where it is small and they know it."""
        inner, (n, p) = self.problem, self.problem.X.shape
        l1, l2 = inner.penalty.elastic or (1.0, 0.0)
        known = isinstance(inner.X, np.ndarray) and inner.loss.native_id is not None
        if not known or inner.n_outputs != 1 or l1 > 0 or not inner.X.flags.c_contiguous:
            return None
        if not inner.loss.convex or p > _FEW or n * p * p > _SMALL:
            return None
        assert inner.loss.native_id is not None
        return UnitRows(
            inner.loss.native_id,
            inner.X,
            inner.y,
            inner.weight,
            self.centre,
            self.scale,
            l2,
            inner.n_threads,
        )

    def _expand_compiled(self, rows: UnitRows, x: Floats, second_order: bool) -> Expansion:
        value, gradient, bend = rows.expand(x)
        if not second_order:
            return Expansion(value, gradient, value, gradient)

        def hessian() -> Floats:
            coef, _ = self.problem.unpack(self.raw(x))
            return _symmetric(self._pull(self._pull(self.problem.curvature(coef, bend).matrix()).T))

        def product(v: Floats) -> Floats:
            coef, _ = self.problem.unpack(self.raw(x))
            return self._pull(self.problem.curvature(coef, bend).product(self.raw(v)))

        return Expansion(
            value,
            gradient,
            value,
            gradient,
            hessian,
            product,
            newton=lambda: rows.direction(bend, gradient),
        )

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        if self._compiled is not None:
            return self._expand_compiled(self._compiled, x, second_order)
        there = self.problem.expand(self.raw(x), second_order=second_order)
        hessian, product = there.hessian, there.hessian_product
        gradient = self._pull(there.gradient)
        slope, value = gradient, there.value
        if not self.problem.penalty.smooth:
            assert there.smooth_gradient is not None
            assert there.smooth_value is not None
            slope, value = self._pull(there.smooth_gradient), there.smooth_value
            gradient = self._least_subgradient(x, slope)
        if hessian is None or product is None:
            return Expansion(there.value, gradient, value, slope)
        return Expansion(
            there.value,
            gradient,
            value,
            slope,
            hessian=lambda: _symmetric(self._pull(self._pull(hessian()).T)),
            hessian_product=lambda v: self._pull(product(self.raw(v))),
        )

    def _least_subgradient(self, x: Floats, slope: Floats) -> Floats:
        """The penalty's part of the subgradient chosen in the new unknowns, where it is least."""
        cut, scale = len(self.scale), self.scale[:, None]
        scaled = slope.reshape(-1, self.problem.n_outputs).copy()
        coef = x.reshape(scaled.shape)[:cut] / scale
        scaled[:cut] = self.problem.penalty.least_subgradient(coef, scaled[:cut] * scale) / scale
        return scaled.ravel()

    def _pull(self, gradient: Floats) -> Floats:
        """Derivatives in the new unknowns; further axes are carried along."""
        cut = len(self.scale)
        scaled = gradient.reshape(-1, self.problem.n_outputs, *gradient.shape[1:]).copy()
        columns = (cut,) + (1,) * (scaled.ndim - 1)
        if len(scaled) > cut:
            scaled[:cut] -= self.centre.reshape(columns) * scaled[cut]
        scaled[:cut] /= self.scale.reshape(columns)
        return scaled.reshape(gradient.shape)


def _symmetric(matrix: Floats) -> Floats:
    return 0.5 * (matrix + matrix.T)


def standardised(problem: LinearProblem) -> Standardised:
    """The problem in units of its own columns; a column without variation keeps its size.

    Sparse columns are scaled by their stored entries and not centred. Dense columns that lie very
    far from zero are centred in a copy, since sums over them would lose too many digits.
    """
    p = problem.X.shape[1]
    if issparse(problem.X):
        return Standardised(
            problem, np.zeros(p), _stored_size(problem.X, problem.weight), np.zeros(p)
        )
    mean, variance = _moments(problem)
    square = variance + mean**2
    centre = mean if problem.intercept else np.zeros(p)
    spread = variance if problem.intercept else square
    scale = np.sqrt(np.where(spread > _ROUNDING * square, spread, square))
    scale[scale == 0] = 1.0
    if np.maximum.reduce(np.abs(centre) / scale, initial=0.0) < _FAR:
        return Standardised(problem, centre, scale, np.zeros(p))
    near = replace(problem, X=np.subtract(problem.X, centre, dtype=np.float64))
    return Standardised(near, np.zeros(p), scale, centre)


def _moments(problem: LinearProblem) -> tuple[Floats, Floats]:
    """Weighted mean and variance of every column, of many rows from a part of them.

    They are units only: any will do that are near.
    """
    X, weight = problem.X, problem.weight
    step = len(X) // _ENOUGH
    if step > 1 and (weight is None or weight[::step].any()):
        X, weight = np.ascontiguousarray(X[::step]), None if weight is None else weight[::step]
    n = len(X)
    weight = np.ones(n) if weight is None else np.ascontiguousarray(weight)
    total = max(float(weight.sum()), np.finfo(np.float64).tiny)
    shift = X[int(np.argmax(weight > 0))].astype(np.float64)  # a row that counts
    code = np.zeros(n, dtype=np.int64)
    _, sums, squares = moments.class_moments(X, code, 1, weight, shift, problem.n_threads)[:, 0]
    away = sums / total
    return shift + away, np.maximum(squares / total - away**2, 0.0)


def _stored_size(X: Any, weight: Floats | None) -> Floats:
    """Root mean square of the stored entries of every column; rows count by their weight."""
    p = X.shape[1]
    mass = np.ones(X.nnz) if weight is None else np.repeat(weight, np.diff(X.indptr))
    squares = np.bincount(X.indices, mass * X.data.astype(np.float64) ** 2, minlength=p)
    total = np.bincount(X.indices, mass, minlength=p)
    size = np.sqrt(np.divide(squares, total, out=np.zeros(p), where=total > 0))
    return np.where(size > 0, size, 1.0)
