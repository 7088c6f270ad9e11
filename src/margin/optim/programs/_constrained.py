"""Objectives under constraints."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import check
from margin.core.types import Floats
from margin.optim._problem import Function, Problem
from margin.optim.programs._quadratic_program import QuadraticProgram


@dataclass(frozen=True)
class Constraint:
    """A vector of functions that must be at most zero, or zero.

    Parameters
    ----------
    value : callable
        ``x -> array of shape (m,)``.
    jacobian : callable
        ``x -> array of shape (m, d)``, one gradient per row.
    affine : bool
        Whether every function is affine.
    """

    value: Callable[[Floats], Any]
    jacobian: Callable[[Floats], Any]
    affine: bool = False


def affine(A: Any, b: Any) -> Constraint:
    r"""The functions :math:`A x - b`, as a constraint.

    Examples
    --------
    >>> import numpy as np
    >>> affine([[1.0, 2.0]], [3.0]).value(np.array([1.0, 0.5]))
    array([-1.])
    """
    rows = A if issparse(A) else np.atleast_2d(np.asarray(A, dtype=np.float64))
    side = np.atleast_1d(np.asarray(b, dtype=np.float64))
    if side.shape != (rows.shape[0],):
        raise check.fail("affine", "b", f"of shape ({rows.shape[0]},)", side.shape)
    return Constraint(lambda x: rows @ x - side, lambda x: rows, affine=True)


@dataclass(frozen=True)
class ConstrainedProblem:
    r"""Minimise :math:`f(x)` subject to :math:`g_i(x) \le 0` and :math:`h_j(x) = 0` (optim.20).

    Parameters
    ----------
    objective : Problem
        The function :math:`f`.
    inequalities, equalities : sequence of Constraint
        Their functions are numbered through in this order, for multipliers.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Function, affine, kkt
    >>> bowl = Function(lambda x: (float(x @ x), 2 * x), 1)
    >>> problem = ConstrainedProblem(bowl, [affine([[-1.0]], [-1.0])])  # x >= 1
    >>> kkt(problem, np.array([1.0]), inequality=np.array([2.0])).worst
    0.0
    """

    objective: Problem
    inequalities: Sequence[Constraint] = ()
    equalities: Sequence[Constraint] = ()

    @property
    def dimension(self) -> int:
        """Number of unknowns."""
        return self.objective.dimension

    def values(self, x: Floats) -> tuple[Floats, Floats]:
        """All inequality and all equality functions at ``x``."""
        return _stacked(self.inequalities, x), _stacked(self.equalities, x)

    def jacobians(self, x: Floats) -> tuple[Floats, Floats]:
        """Their gradients, one per row."""
        d = self.dimension
        return _gradients(self.inequalities, x, d), _gradients(self.equalities, x, d)

    def affine_rows(self, x: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of the inequality and of the equality functions are affine."""
        return _flags(self.inequalities, x), _flags(self.equalities, x)


def constrained(problem: Problem | QuadraticProgram | ConstrainedProblem) -> ConstrainedProblem:
    """Any problem as one with constraints: none, those of a quadratic program, or its own."""
    if isinstance(problem, ConstrainedProblem):
        return problem
    if isinstance(problem, QuadraticProgram):
        rows, side = problem.inequalities()
        P, q = problem.P, problem.q
        objective = Function(lambda x: (problem.value(x), P @ x + q), len(q))
        return ConstrainedProblem(objective, [affine(rows, side)], [affine(problem.A, problem.b)])
    return ConstrainedProblem(problem)


def _stacked(constraints: Sequence[Constraint], x: Floats) -> Floats:
    parts = [np.atleast_1d(np.asarray(c.value(x), dtype=np.float64)) for c in constraints]
    return np.concatenate([np.zeros(0), *parts])


def _flags(constraints: Sequence[Constraint], x: Floats) -> NDArray[np.bool_]:
    parts = [np.full(np.size(c.value(x)), c.affine) for c in constraints]
    return np.concatenate([np.zeros(0, dtype=bool), *parts])


def _gradients(constraints: Sequence[Constraint], x: Floats, d: int) -> Floats:
    parts = [np.zeros((0, d))]
    for c in constraints:
        rows = c.jacobian(x)
        rows = rows.toarray() if issparse(rows) else np.asarray(rows, dtype=np.float64)
        parts.append(rows.reshape(-1, d))
    return np.vstack(parts)
