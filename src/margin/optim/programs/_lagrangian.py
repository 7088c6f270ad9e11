"""Lagrangians, dual functions and the gap between them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core import Solution, check
from margin.core.types import Floats
from margin.linalg import lstsq
from margin.optim._minimise import minimise
from margin.optim._problem import Expansion, Function, Problem
from margin.optim._solver import Solver
from margin.optim.programs._constrained import ConstrainedProblem, constrained
from margin.optim.programs._quadratic_program import QuadraticProgram
from margin.optim.steppers._lbfgs import LBFGS

AnyProblem = Problem | QuadraticProgram | ConstrainedProblem


def lagrangian(
    problem: AnyProblem, x: Floats, inequality: Any = (), equality: Any = ()
) -> Expansion:
    r"""Value and gradient in :math:`x` of the Lagrangian (optim.20).

    .. math:: L(x, \lambda, \nu) = f(x) + \sum_i \lambda_i g_i(x) + \sum_j \nu_j h_j(x)

    Its supremum over :math:`\lambda \ge 0` and :math:`\nu` is :math:`f(x)` where the constraints
    hold and infinite elsewhere.

    Parameters
    ----------
    problem : Problem, QuadraticProgram or ConstrainedProblem
    x : ndarray of shape (d,)
    inequality, equality : array-like
        Multipliers, one per function; of a quadratic program in the order of its
        ``inequalities()``. None are zeros.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import QuadraticProgram
    >>> program = QuadraticProgram(np.eye(1), [0.0], lower=1.0)
    >>> local = lagrangian(program, np.array([3.0]), inequality=[2.0])
    >>> local.value, local.gradient
    (0.5, array([1.]))
    """
    stated = constrained(problem)
    x = np.asarray(x, dtype=np.float64)
    g, h = stated.values(x)
    Jg, Jh = stated.jacobians(x)
    lam = multipliers("inequality", inequality, len(g))
    nu = multipliers("equality", equality, len(h))
    local = stated.objective.expand(x)
    return Expansion(
        local.value + float(lam @ g) + float(nu @ h),
        local.gradient + Jg.T @ lam + Jh.T @ nu,
    )


@dataclass(frozen=True)
class DualValue:
    r"""Value of the dual function, where it is taken, and how the search for it ended.

    Parameters
    ----------
    value : float
        :math:`-\infty` where the Lagrangian has no minimum.
    x : ndarray
        Minimiser of the Lagrangian.
    solution : Solution or None
        Of the search; nothing where there is a closed form.
    """

    value: float
    x: Floats
    solution: Solution | None = None


def dual_function(
    problem: AnyProblem,
    inequality: Any = (),
    equality: Any = (),
    *,
    x0: Floats | None = None,
    solver: Solver | None = None,
) -> DualValue:
    r"""Lagrange dual :math:`q(\lambda, \nu) = \inf_x L(x, \lambda, \nu)` (optim.20).

    Concave, and for :math:`\lambda \ge 0` never above the optimum (weak duality). Exact for
    quadratic programs; otherwise the Lagrangian is minimised numerically, which gives a true bound
    if it is convex.

    Parameters
    ----------
    problem : Problem, QuadraticProgram or ConstrainedProblem
    inequality, equality : array-like
        Multipliers; those of inequalities at least 0.
    x0 : ndarray, optional
        Start of the search.
    solver : Solver, optional
        :class:`LBFGS` to a gradient of 1e-8 by default.

    Examples
    --------
    Of :math:`\min x^2/2` with :math:`x \ge 1`: :math:`q(\lambda) = \lambda - \lambda^2/2`.

    >>> import numpy as np
    >>> from margin.optim import QuadraticProgram
    >>> program = QuadraticProgram(np.eye(1), [0.0], lower=1.0)
    >>> [round(dual_function(program, [price]).value, 6) for price in (0.0, 1.0, 3.0)]
    [0.0, 0.5, -1.5]
    """
    if np.min(np.asarray(inequality, dtype=np.float64), initial=0.0) < 0:
        raise check.fail("dual_function", "inequality", "at least 0 everywhere", inequality)
    if isinstance(problem, QuadraticProgram):
        return _quadratic_dual(problem, inequality, equality)
    stated = constrained(problem)

    def expand(x: Floats) -> tuple[float, Floats]:
        local = lagrangian(stated, x, inequality, equality)
        return local.value, local.gradient

    inner = Function(expand, stated.dimension)
    with np.errstate(over="ignore", invalid="ignore"):
        solution = minimise(inner, solver or LBFGS(1e-8, 1000), x0)
    # Where a search did not come to rest there is no minimum to be had.
    value = solution.objective if _at_rest(solution) else -np.inf
    return DualValue(value, solution.x, solution)


def _at_rest(solution: Solution) -> bool:
    slopes = solution.trace["gradient_norm"]
    return solution.status.ok or bool(slopes[-1] <= 1e-5 * min(1.0, slopes[0]))


def _quadratic_dual(program: QuadraticProgram, inequality: Any, equality: Any) -> DualValue:
    """Minimum of a quadratic: where its gradient vanishes, minus infinity if it never does."""
    rows, side = program.inequalities()
    lam = multipliers("inequality", inequality, len(side))
    nu = multipliers("equality", equality, len(program.b))
    slope = program.q + rows.T @ lam + program.A.T @ nu
    P = program.P.toarray() if issparse(program.P) else program.P
    x = np.asarray(-lstsq(P, slope))
    left = float(np.abs(P @ x + slope).max(initial=0.0))
    if left > 1e-9 * max(1.0, float(np.abs(slope).max(initial=0.0))):
        return DualValue(-np.inf, x)
    return DualValue(0.5 * float(slope @ x) - float(lam @ side) - float(nu @ program.b), x)


@dataclass(frozen=True)
class Duality:
    """A point against a lower bound.

    Parameters
    ----------
    primal, dual : float
        Objective at the point and dual function at the multipliers.
    infeasibility : float
        Largest violation of a constraint at the point.
    """

    primal: float
    dual: float
    infeasibility: float

    @property
    def gap(self) -> float:
        """Primal minus dual value: no feasible point is lower than the point by more."""
        return self.primal - self.dual

    def strong(self, tol: float = 1e-6) -> bool:
        """Whether the point is feasible and the gap closed, relative to the objective."""
        return self.infeasibility <= tol and self.gap <= tol * max(1.0, abs(self.primal))


def lagrangian_gap(
    problem: AnyProblem, x: Floats, inequality: Any = (), equality: Any = (), **options: Any
) -> Duality:
    r"""Duality gap :math:`f(x) - q(\lambda, \nu)` of any point and multipliers (optim.20).

    At a feasible point it is never negative and bounds :math:`f(x) - p^\star`; it vanishes at the
    optimum where strong duality, :math:`p^\star = d^\star`, holds. ``options`` go to
    :func:`dual_function`.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import QuadraticProgram
    >>> program = QuadraticProgram(np.eye(1), [0.0], lower=1.0)
    >>> duality = lagrangian_gap(program, np.array([1.0]), [1.0])
    >>> duality.gap, duality.strong()
    (0.0, True)
    """
    stated = constrained(problem)
    x = np.asarray(x, dtype=np.float64)
    g, h = stated.values(x)
    violated = max(float(g.max(initial=0.0)), float(np.abs(h).max(initial=0.0)))
    dual = dual_function(problem, inequality, equality, **options)
    return Duality(stated.objective.expand(x).value, dual.value, violated)


def multipliers(name: str, given: Any, size: int) -> Floats:
    """Multipliers as an array of the right length; none given are zeros."""
    array = np.asarray(given, dtype=np.float64).ravel()
    if array.size == 0:
        return np.zeros(size)
    if len(array) != size:
        raise check.fail("lagrangian", name, f"of length {size}", len(array))
    return array
