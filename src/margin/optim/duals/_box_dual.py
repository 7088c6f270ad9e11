"""The quadratic program behind every support vector machine."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from margin.core.types import Floats, Indices
from margin.optim.duals._gram import Gram
from margin.optim.programs._quadratic_program import QuadraticProgram


@dataclass(frozen=True)
class BoxDual:
    r"""Dual of a kernel machine whose loss is piecewise linear.

    Minimises :math:`\tfrac12 \beta^\top K \beta - t^\top \beta` over
    :math:`l \le \beta \le u`, where the sum of :math:`\beta` is fixed in every group. With the
    scores :math:`f = K \beta` and one bias per group it is the dual of

    .. math:: \tfrac12 \beta^\top K \beta + \sum_i \max_{l_i \le s \le u_i} s (t_i - f_i - b)
        + \sum_g b_g \sum_{i \in g} \beta_i .

    Parameters
    ----------
    gram : Gram
        The matrix :math:`K`.
    target, lower, upper : ndarray of shape (m,)
        :math:`t`, :math:`l` and :math:`u`; an upper bound may be infinite.
    start : ndarray of shape (m,)
        Feasible point; its sums are the ones that are kept.
    rows : ndarray of int, shape (m,), optional
        Row of the matrix that belongs to each variable; variable :math:`i` to row :math:`i` when
        absent. Several variables may share a row.
    group : ndarray of int, shape (m,), optional
        Zero or one; all zero when absent.
    """

    gram: Gram
    target: Floats
    lower: Floats
    upper: Floats
    start: Floats
    rows: Indices | None = None
    group: Indices | None = None

    def __post_init__(self) -> None:
        size = len(self.target)
        for name in ("lower", "upper", "start", "rows", "group"):
            value = getattr(self, name)
            if value is not None and value.shape != (size,):
                raise ValueError(f"BoxDual: {name} must be of length {size}, got {len(value)}")
        if self.rows is None and size != self.gram.n:
            raise ValueError(f"BoxDual: target must be of length {self.gram.n}, got {size}")
        if (self.lower > self.start).any() or (self.start > self.upper).any():
            raise ValueError("BoxDual: start must be within the bounds, got a point outside")

    @cached_property
    def row_of(self) -> Indices:
        """Row of the matrix of every variable."""
        return np.arange(len(self.target)) if self.rows is None else self.rows

    @cached_property
    def bounded(self) -> bool:
        """Whether every bound is finite."""
        return bool(np.isfinite(self.upper).all() and np.isfinite(self.lower).all())

    @cached_property
    def members(self) -> tuple[Indices | slice, ...]:
        """Variables of every group."""
        if self.group is None:
            return (slice(None),)
        return np.flatnonzero(self.group == 0), np.flatnonzero(self.group != 0)

    @cached_property
    def groups(self) -> Indices:
        """Group of every variable."""
        return np.zeros(len(self.target), dtype=np.int64) if self.group is None else self.group

    def program(self) -> QuadraticProgram:
        """The same problem for a general solver; the whole matrix is held in memory (svm.07)."""
        rows, groups = self.row_of, np.unique(self.groups)
        K = np.asarray(self.gram.columns(rows)(rows), dtype=np.float64)
        belongs = (self.groups == groups[:, None]).astype(np.float64)
        bounds = {"lower": self.lower, "upper": self.upper}
        return QuadraticProgram(K, -self.target, belongs, belongs @ self.start, **bounds)

    def by_row(self, beta: Floats) -> Floats:
        """Coefficients of the rows of the matrix: sums over the variables that share a row."""
        if self.rows is None:
            return beta
        sums: Floats = np.bincount(self.rows, beta, self.gram.n).astype(np.float64)
        return sums


@dataclass(frozen=True)
class Optimality:
    """How far a point is from the optimum, and the bias that goes with it.

    Parameters
    ----------
    violation : largest violation of the optimality conditions over the groups.
    bias : ndarray of shape (2,), one per group.
    primal, dual : values of the two problems; their difference bounds the error of either.
    """

    violation: float
    bias: Floats
    primal: float
    dual: float

    @property
    def gap(self) -> float:
        """Duality gap."""
        return self.primal - self.dual


def optimality(problem: BoxDual, beta: Floats, scores: Floats) -> Optimality:
    r"""Violation, bias, primal and dual value of a point with the scores :math:`f = K \beta`.

    The bias of a group is the mean of :math:`t_i - f_i` over the variables strictly between their
    bounds (svm.05), the middle of what the bounds allow where there is none.
    """
    residual = problem.target - (scores if problem.rows is None else scores[problem.rows])
    grows, shrinks = beta < problem.upper, beta > problem.lower
    bias, violation, fixed = np.zeros(2), 0.0, 0.0
    for g, inside in enumerate(problem.members):
        r, above, below = residual[inside], shrinks[inside], grows[inside]
        if not len(r):
            continue
        up = float(r[below].max(initial=-np.inf))
        low = float(r[above].min(initial=np.inf))
        violation = max(violation, up - low)
        bias[g] = _bias(r[above & below], up, low)
        fixed += bias[g] * float(beta[inside].sum())
    shifted = residual - (bias[0] if problem.group is None else bias[problem.group])
    quadratic = float(problem.by_row(beta) @ scores)
    upper, lower = problem.upper, problem.lower
    if not problem.bounded:
        # Where a bound is infinite, any bound above the multipliers is an exact penalty.
        largest = float(np.abs(beta).max(initial=0.0))
        upper = np.where(np.isinf(upper), largest, upper)
        lower = np.where(np.isinf(lower), -largest, lower)
    loss = float((np.where(shifted > 0, upper, lower) * shifted).sum())
    primal = 0.5 * quadratic + loss + fixed
    return Optimality(
        violation, bias, float(primal), float(problem.target @ beta) - 0.5 * quadratic
    )


def _bias(free: Floats, up: float, low: float) -> float:
    if len(free):
        return float(free.mean())
    if np.isfinite(up) and np.isfinite(low):
        return 0.5 * (up + low)
    return up if np.isfinite(up) else low if np.isfinite(low) else 0.0
