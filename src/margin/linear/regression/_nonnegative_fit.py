"""Least squares whose coefficients must be at least 0: descent, then the exact active set."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin import losses, optim, penalties
from margin.core import Iterate, Solution, Status, Stop, iterate
from margin.core.types import Array, Bools, Floats, Matrix
from margin.linalg import ridge

_TOL = 1e-7
_TURNS = Stop(
    "relative breach of the optimality conditions",
    float(np.finfo(np.float64).eps),
    50,
    unit="turn",
    keep="closest",
)


@dataclass(frozen=True, eq=False)
class NonnegativeFit:
    """Coefficients of one target or of several, none below 0.

    Parameters
    ----------
    coef : ndarray of shape (p,) or (k, p)
    intercept : float or ndarray of shape (k,)
    n_iter : ndarray of shape (k,)
        Working sets and turns of the active set, of each target.
    rank : int
        Most columns that take part in one target.
    law : None
        Coefficients on the border of what is allowed have no law of a simple form.
    solver : str
        The name scikit-learn gives to a solver under signs.
    solution : Solution
        All targets as one, judged by the worst of them.
    """

    coef: Array
    intercept: Any
    n_iter: Any
    rank: int
    solution: Solution
    law: None = None
    solver: str = "lbfgs"


def fit_nonnegative(
    X: Matrix,
    y: Floats,
    weight: Floats | None,
    alpha: Floats,
    *,
    intercept: bool,
    max_iter: int,
    n_threads: int,
) -> NonnegativeFit:
    r"""Minimise :math:`\tfrac12 \sum_i s_i (y_i - x_i^\top w - b)^2 + \tfrac\alpha2 \|w\|^2`.

    under :math:`w \ge 0`, for every target; ``alpha`` holds one strength for all, or one for each.

    Examples
    --------
    >>> X, y = np.array([[0.0, 2], [1, 1], [2, 0]]), np.array([1.0, 2.0, 4.0])
    >>> settings = dict(intercept=True, max_iter=100, n_threads=1)
    >>> fit_nonnegative(X, y, None, np.zeros(1), **settings).coef.round(6)
    array([1.5, 0. ])
    """
    targets = y.reshape(len(y), -1)
    strengths = np.broadcast_to(alpha, (targets.shape[1],))
    mass = np.ones(len(y)) if weight is None else weight
    solutions = []
    for target, strength in zip(targets.T, strengths, strict=True):
        problem = _Problem(X, target, mass, float(strength), intercept, n_threads)
        solutions.append(problem.solve(max_iter))
    p = X.shape[1]
    coef = np.array([s.x[:p] for s in solutions]).reshape(-1, p).astype(X.dtype)
    levels: Array = np.array([s.x[p] for s in solutions]).astype(X.dtype)
    single = y.ndim == 1
    return NonnegativeFit(
        coef=coef[0] if single else coef,
        intercept=0.0 if not intercept else levels[0] if single else levels,
        n_iter=np.array([s.n_iter for s in solutions]),
        rank=int((coef > 0).sum(axis=1).max(initial=0)),
        solution=solutions[0] if single else Solution.merge(solutions, parts="targets"),
    )


@dataclass(frozen=True, eq=False)
class _Problem:
    X: Matrix
    y: Floats
    weight: Floats
    alpha: float
    intercept: bool
    n_threads: int

    def solve(self, max_iter: int) -> Solution:
        """Descent finds the columns that take part; a factorisation of these ends the search."""
        rough = self._descent(max_iter)
        start = np.append(rough.x, [] if self.intercept else [0.0])
        search = iterate(self._turns(start), _TURNS)
        solution = self._judged(search, rough.n_iter + search.n_iter)
        if not (rough.interrupted or search.interrupted):
            return solution
        ended = rough if rough.interrupted else search
        if solution.status.ok:
            return replace(solution, interrupted=True)
        return replace(solution, message=ended.message, interrupted=True)

    def _turns(self, point: Floats) -> Iterator[Iterate]:
        """The best point of the columns that take part, and how far it is from the optimum."""
        residual, outside = self._residual(point)
        active = point[:-1] > 0
        yield Iterate(point, 0.0, residual)
        for turn in count(1):
            best = self._on(active)
            if (best[:-1] < 0).any():
                active = best[:-1] > 0
                yield Iterate(point, 0.0, residual, turn)
                continue
            point, (residual, outside) = best, self._residual(best)
            stuck = "" if (outside > _TOL * 1e-3).any() else "no column asks to enter"
            yield Iterate(point, 0.0, residual, turn, stuck=stuck)
            active = active | (outside == outside.max())

    def _descent(self, max_iter: int) -> Solution:
        total = float(self.weight.sum())
        problem = optim.LinearProblem(
            self.X,
            self.y,
            self.weight / total,
            losses.Squared(),
            penalties.L2(self.alpha / total) if self.alpha > 0 else penalties.Zero(),
            intercept=self.intercept,
            n_threads=self.n_threads,
        )
        solver = optim.CoordinateDescent(tol=1e-8, max_iter=max_iter, positive=True)
        return solver.run(problem)

    def _on(self, active: Bools) -> Floats:
        """Minimiser without the sign, of the active columns alone; the intercept last."""
        point = np.zeros(len(active) + 1)
        columns = self.X[:, np.flatnonzero(active)]
        fit = ridge(
            columns,
            self.y[:, None],
            self.weight,
            self.alpha,
            intercept=self.intercept,
            n_threads=self.n_threads,
        )
        point[:-1][active] = fit.coef[:, 0]
        point[-1] = fit.intercept[0] if self.intercept else 0.0
        return point

    def _residual(self, point: Floats) -> tuple[float, Floats]:
        """Largest breach of the optimality conditions, and how much each column asks to enter."""
        coef = point[:-1]
        error = self.y - self.X @ coef
        error = error - (np.average(error, weights=self.weight) if self.intercept else 0.0)
        slope = self.alpha * coef - self.X.T @ (self.weight * error)
        squares = self.X.multiply(self.X) if issparse(self.X) else self.X**2
        level = np.average(self.y, weights=self.weight) if self.intercept else 0.0
        size = np.sqrt(self.weight @ squares) * np.sqrt(self.weight @ (self.y - level) ** 2)
        share = slope / np.where(size > 0, size, 1.0)
        outside = np.where(coef > 0, 0.0, np.maximum(-share, 0.0))
        inside = np.where(coef > 0, np.abs(share), 0.0)
        return float(max(inside.max(initial=0.0), outside.max(initial=0.0))), outside

    def _judged(self, search: Solution, n_iter: int) -> Solution:
        point, certificate = search.x, search.certificate
        assert certificate is not None
        coef = point[:-1]
        error = self.y - self.X @ coef - point[-1]
        objective = 0.5 * float(self.weight @ error**2 + self.alpha * (coef @ coef))
        certificate = replace(certificate, tolerance=_TOL)
        solution = Solution(
            x=point,
            status=Status.CONVERGED,
            n_iter=n_iter,
            objective=objective,
            trace={"objective": np.array([objective])},
            certificate=certificate,
            solver="active set of the columns at least 0",
            message="",
        )
        if certificate.holds:
            return solution
        message = "the lbfgs solver did not converge: the optimality conditions hold only to "
        message += f"{certificate.value:.2g}; raise max_iter"
        return replace(solution, status=Status.MAX_ITER, message=message)
