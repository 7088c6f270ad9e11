"""Slater's condition."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from margin.core.types import Floats
from margin.optim.programs._constrained import ConstrainedProblem, constrained
from margin.optim.programs._lagrangian import AnyProblem

_CAP = 1.0  # a slack of one is enough: the search need not run to infinity


@dataclass(frozen=True)
class Slater:
    """Whether a point strictly inside the constraints was found.

    Parameters
    ----------
    holds : bool
        Whether the curved inequalities are strictly satisfied and the affine ones satisfied at
        ``point``: with a convex problem there is then no duality gap.
    interior : bool
        Whether all inequalities are strictly satisfied there.
    point : ndarray
        The point looked at, the best found.
    slack : float
        How far below zero the largest inequality is there; the largest curved one if there are
        any. Infinite without inequalities.
    message : str
        Says in words what was found.
    """

    holds: bool
    interior: bool
    point: Floats
    slack: float
    message: str


def slater(problem: AnyProblem, x: Any = None, *, tol: float = 1e-8) -> Slater:
    r"""Look for a point strictly inside the curved constraints (optim.21).

    Slater's condition asks for a point with :math:`g_i(x) < 0` for curved and :math:`g_i(x) \le 0`
    for affine inequalities, and :math:`h_j(x) = 0`. If there is one and the problem is convex,
    strong duality holds: :math:`d^\star = p^\star`, and the dual optimum is attained if it is
    finite. A point found proves the condition; that none is found disproves it for affine
    constraints (by linear programming) and is strong evidence for convex ones (largest slack by
    sequential quadratic programming).

    Parameters
    ----------
    problem : Problem, QuadraticProgram or ConstrainedProblem
    x : array-like of shape (d,), optional
        Point to check; one is searched for by default.
    tol : float
        Slack that counts as strict, and violation of affine constraints that counts as none.

    Examples
    --------
    The disc of radius one has an inside, the disc of radius zero has none:

    >>> import numpy as np
    >>> from margin.optim import ConstrainedProblem, Constraint, Function
    >>> bowl = Function(lambda x: (float(x @ x), 2 * x), 2)
    >>> def disc(radius):
    ...     inside = Constraint(lambda x: [x @ x - radius**2], lambda x: [2 * x])
    ...     return slater(ConstrainedProblem(bowl, [inside]))
    >>> disc(1.0).holds, disc(0.0).holds
    (True, False)
    """
    stated = constrained(problem)
    start = np.zeros(stated.dimension) if x is None else np.asarray(x, dtype=np.float64)
    flat, _ = stated.affine_rows(start)
    if x is None:
        start = _affine_inside(stated, start)
        if not flat.all():
            start = _curved_inside(stated, start, flat)
    return _judged(stated, start, flat, tol)


def _judged(problem: ConstrainedProblem, x: Floats, flat: NDArray[np.bool_], tol: float) -> Slater:
    g, h = problem.values(x)
    any_curved = not flat.all()
    slack = float(-(g[~flat] if any_curved else g).max(initial=-np.inf))
    # Equalities are met by iteration, never better than the precision of its last step.
    on = float(np.abs(h).max(initial=0.0)) <= max(tol, 1e-7)
    satisfied = on and float(g[flat].max(initial=-np.inf)) <= tol
    holds = satisfied and (not any_curved or slack > tol)
    interior = satisfied and float(g.max(initial=-np.inf)) < -tol
    if not satisfied:
        message = "no point found that satisfies the affine inequalities and the equalities"
    elif not holds:
        message = f"no point found strictly inside: the largest slack is {slack:.3g}"
    else:
        message = f"satisfied with a slack of {slack:.3g}"
    return Slater(holds, interior, x, slack, message)


def _affine_inside(problem: ConstrainedProblem, x: Floats) -> Floats:
    """Point of largest least slack of the affine constraints, by linear programming."""
    g, h = problem.values(x)
    Jg, Jh = problem.jacobians(x)
    flat, equal = problem.affine_rows(x)
    cost = np.zeros(len(x) + 1)
    cost[-1] = -1.0
    answer = linprog(
        cost,
        np.column_stack([Jg[flat], np.ones(int(flat.sum()))]),
        Jg[flat] @ x - g[flat],
        np.column_stack([Jh[equal], np.zeros(int(equal.sum()))]),
        Jh[equal] @ x - h[equal],
        [(None, None)] * len(x) + [(None, _CAP)],
    )
    return x if answer.x is None else np.asarray(answer.x[:-1])


def _curved_inside(problem: ConstrainedProblem, x: Floats, flat: NDArray[np.bool_]) -> Floats:
    """Point of largest least slack of the curved inequalities, the affine ones kept."""
    share = np.where(flat, 0.0, 1.0)
    limits: list[dict[str, Any]] = [
        {
            "type": "ineq",
            "fun": lambda u: -problem.values(u[:-1])[0] - share * u[-1],
            "jac": lambda u: np.column_stack([-problem.jacobians(u[:-1])[0], -share]),
        }
    ]
    n_equal = len(problem.values(x)[1])
    if n_equal:
        limits.append(
            {
                "type": "eq",
                "fun": lambda u: problem.values(u[:-1])[1],
                "jac": lambda u: np.column_stack([problem.jacobians(u[:-1])[1], np.zeros(n_equal)]),
            }
        )
    slope = np.append(np.zeros(len(x)), -1.0)
    first = min(float(-problem.values(x)[0][~flat].max()), _CAP)
    answer = minimize(
        lambda u: -float(u[-1]),
        np.append(x, first),
        jac=lambda u: slope,
        bounds=[(None, None)] * len(x) + [(None, _CAP)],
        constraints=limits,
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return np.asarray(answer.x[:-1])
