"""Conditions of Karush, Kuhn and Tucker."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

from margin.core.types import Floats
from margin.optim.programs._constrained import ConstrainedProblem, constrained
from margin.optim.programs._lagrangian import AnyProblem, lagrangian, multipliers


@dataclass(frozen=True)
class KKT:
    r"""How far a point with multipliers is from the conditions of optimality (optim.22).

    Parameters
    ----------
    stationarity : float
        Largest entry of :math:`\nabla f + \sum_i \lambda_i \nabla g_i + \sum_j \nu_j \nabla h_j`.
    primal_feasibility : float
        Largest of :math:`g_i(x)` and :math:`|h_j(x)|`, zero if all constraints hold.
    dual_feasibility : float
        Largest of :math:`-\lambda_i`, zero if no multiplier is negative.
    complementarity : float
        Largest :math:`|\lambda_i g_i(x)|`.
    inequality, equality : ndarray
        The multipliers, given or estimated.

    Notes
    -----
    Necessary at an optimum under a constraint qualification (see :func:`slater`), and sufficient
    if objective and inequalities are convex and the equalities affine.
    """

    stationarity: float
    primal_feasibility: float
    dual_feasibility: float
    complementarity: float
    inequality: Floats
    equality: Floats

    @property
    def worst(self) -> float:
        """Largest of the four residuals."""
        return max(
            self.stationarity,
            self.primal_feasibility,
            self.dual_feasibility,
            self.complementarity,
        )

    def holds(self, tol: float = 1e-6) -> bool:
        """Whether all four conditions hold to this precision."""
        return self.worst <= tol


def kkt(
    problem: AnyProblem,
    x: Any,
    inequality: Any = None,
    equality: Any = None,
    *,
    active: float = 1e-6,
) -> KKT:
    r"""Residuals of the conditions of optimality of any problem at any point (optim.22).

    Stationarity :math:`\nabla_x L = 0`, primal feasibility :math:`g \le 0, h = 0`, dual
    feasibility :math:`\lambda \ge 0`, complementary slackness :math:`\lambda_i g_i = 0`. Without
    constraints it is the gradient alone or, with a penalty that has kinks, the subgradient of
    least norm.

    Parameters
    ----------
    problem : Problem, QuadraticProgram or ConstrainedProblem
    x : array-like of shape (d,)
    inequality, equality : array-like, optional
        Multipliers. If neither is given the best are estimated: least squares on the gradient of
        the Lagrangian, with non-negative multipliers on the inequalities that are active.
    active : float
        An inequality is active where :math:`g_i(x)` is above minus this.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import QuadraticProgram
    >>> program = QuadraticProgram(np.eye(1), [0.0], lower=1.0)
    >>> kkt(program, [1.0]).inequality.round(6), kkt(program, [1.0]).holds()
    (array([1.]), True)
    >>> kkt(program, [2.0]).stationarity
    2.0
    """
    stated = constrained(problem)
    x = np.asarray(x, dtype=np.float64)
    g, h = stated.values(x)
    if inequality is None and equality is None:
        lam, nu = _estimated(stated, x, g, active)
    else:
        lam = multipliers("inequality", () if inequality is None else inequality, len(g))
        nu = multipliers("equality", () if equality is None else equality, len(h))
    return KKT(
        stationarity=_largest(lagrangian(stated, x, lam, nu).gradient),
        primal_feasibility=max(float(g.max(initial=0.0)), _largest(h)),
        dual_feasibility=float((-lam).max(initial=0.0)),
        complementarity=_largest(lam * g),
        inequality=lam,
        equality=nu,
    )


def _estimated(
    problem: ConstrainedProblem, x: Floats, g: Floats, active: float
) -> tuple[Floats, Floats]:
    Jg, Jh = problem.jacobians(x)
    near = g > -active
    count = int(near.sum())
    columns = np.vstack([Jg[near], Jh]).T
    lam, nu = np.zeros(len(Jg)), np.zeros(len(Jh))
    if columns.size:
        low = np.concatenate([np.zeros(count), np.full(len(Jh), -np.inf)])
        slope = problem.objective.expand(x).gradient
        prices = lsq_linear(columns, -slope, (low, np.inf), tol=1e-14).x
        lam[near], nu[:] = prices[:count], prices[count:]
    return lam, nu


def _largest(values: Floats) -> float:
    return float(np.abs(values).max(initial=0.0))
