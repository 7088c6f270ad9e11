"""Newton's method for linear support vector machines."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, check, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.native.duals import newton as native
from margin.optim.duals._dual_descent import KIND
from margin.optim.duals._linear_dual import LinearDual

_INNER = 60
_GROWTH = 5.0
_LARGEST_MATRIX = 1500  # columns up to which the Hessian is formed
_PATIENCE = 6
# Up to so many columns, and numbers read per step, a compiled loop is faster than BLAS.
_FEW_COLUMNS = 64
_FEW_PRODUCTS = 4_000_000


@dataclass(frozen=True)
class SemismoothNewton:
    r"""Newton steps on the primal, made smooth by the multipliers found so far (svm.09).

    Each outer step minimises, over :math:`w`,

    .. math:: \psi(w) = \tfrac12 \|w\|^2 + \sum_i \max_{l_i \le b \le u_i} b (t_i - x_i^\top w)
        - \epsilon |b| - \tfrac12 d_i b^2 - \tfrac1{2\sigma} (b - \beta_i)^2 ,

    a proximal step on the dual, whose maximisers are the next :math:`\beta`. Its gradient is
    :math:`w - X^\top b`, piecewise linear, and its Hessian :math:`I + X_A^\top D X_A` has only the
    rows :math:`A` strictly between kinks and bounds. The pace :math:`\sigma` grows, so that the
    last steps are exact. Squared losses are smooth by themselves: :math:`\sigma = \infty`, and one
    outer step is all.

    Parameters
    ----------
    tol : float
        Duality gap, divided by the primal value, that counts as converged.
    max_iter : int
        Most Newton steps.

    Notes
    -----
    A step costs a pass over the data and :math:`O(|A| p^2 + p^3)`; beyond 1500 columns conjugate
    gradients over the rows :math:`A` take the place of the matrix.

    References
    ----------
    Li, Sun and Toh, A highly efficient semismooth Newton augmented Lagrangian method for solving
    lasso problems, SIAM Journal on Optimization 2018.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, -1.0])
    >>> box = np.minimum(0, 9 * y), np.maximum(0, 9 * y)
    >>> solution = SemismoothNewton().run(LinearDual(X, y, *box, np.zeros(2)))
    >>> solution.x[:2].round(9), solution.extras["beta"].round(9)
    (array([0.5, 0.5]), array([ 0.25, -0.25]))
    """

    tol: float = 1e-8
    max_iter: int = 1000

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter")

    def run(self, problem: LinearDual, *, callback: Callback | None = None) -> Solution:
        """Solve the problem; the answer is laid out as that of :class:`DualDescent`."""
        stop = Stop(
            KIND,
            self.tol,
            self.max_iter,
            unit="Newton step",
            keep="closest",
            columns=("gap",),
            patience=_PATIENCE,
            progress=0.9,
        )
        states = _ProximalSteps(self, problem).states()
        return iterate(states, stop, solver="SemismoothNewton", callback=callback)


class _ProximalSteps:
    """Outer steps on the multipliers, Newton steps on the coefficients within them."""

    def __init__(self, solver: SemismoothNewton, problem: LinearDual) -> None:
        self.solver, self.problem = solver, problem
        n, p = problem.X.shape
        self.w, self.z, self.anchor = np.zeros(p + 1), np.zeros(n), np.zeros(n)
        width = problem.upper - problem.lower
        counted = width > 0
        smooth = bool((problem.ridge[counted] > 0).all())
        scale = float(np.median(width[counted])) if not smooth and counted.any() else 1.0
        self.pace = np.inf if smooth else (scale if np.isfinite(scale) else 1.0)
        self.steps = 0
        few = p <= _FEW_COLUMNS and n * p * p <= _FEW_PRODUCTS and not issparse(problem.X)
        self.compact = np.ascontiguousarray(problem.X, dtype=np.float64) if few else None

    def states(self) -> Iterator[Iterate]:
        """The start, then the state after every outer step."""
        yield self._look(self.anchor)
        while True:
            beta = self._minimise()
            # The sum of many steps is not quite the scores of the sum.
            self.z = self.problem.scores(self.w)
            yield self._look(beta)
            self.anchor = beta
            self.pace = min(_GROWTH * self.pace, 1e12)

    def _minimise(self) -> Floats:
        """Newton steps on ``w``; returns the multipliers of the last point."""
        it, response = self.problem, self._response()
        if self.compact is not None:
            beta = np.empty(len(self.z))
            limit = min(_INNER, self.solver.max_iter - self.steps)
            constant, point = (it.last, it.free), (self.w, self.z, beta)
            self.steps += native.steps(
                self.compact,
                response,
                constant,
                self.anchor,
                self.pace,
                self.solver.tol,
                limit,
                point,
            )
            return beta
        beta = self._answer(self.z)
        for _ in range(_INNER):
            gradient = it.weights * self.w - it.pull(beta)
            if self._settled(gradient, beta) or self.steps >= self.solver.max_iter:
                break
            direction = self._direction(gradient, beta, self.pace)
            along, weighted = it.scores(direction), it.weights * direction
            a, b = float(weighted @ self.w), float(weighted @ direction)
            length = native.length(response, self.z, along, a, b)
            if length <= 0.0:
                break
            self.steps += 1
            self.w = self.w + length * direction
            self.z = self.z + length * along
            beta = self._answer(self.z)
        return beta

    def _answer(self, z: Floats) -> Floats:
        anchor = self.anchor if np.isfinite(self.pace) else None
        return self.problem.answer(z, anchor, self.pace)

    def _response(self) -> native.Response:
        """How the multipliers answer scores, held near the anchor."""
        it = self.problem
        curved = it.ridge + 1.0 / self.pace
        inverse = np.divide(1.0, curved, out=np.zeros_like(curved), where=curved > 0)
        shift = it.target + self.anchor / self.pace
        return native.Response(shift, inverse, it.lower, it.upper, float(it.epsilon))

    def _settled(self, gradient: Floats, beta: Floats) -> bool:
        size = float(np.linalg.norm(gradient))
        if not np.isfinite(self.pace):
            scale = float(np.linalg.norm(self.w)) + 1e-300
            return bool(size <= 0.1 * min(1e-3, np.sqrt(self.solver.tol)) * scale)
        moved = float(np.linalg.norm(beta - self.anchor))
        return size <= 0.2 * moved / np.sqrt(self.pace) or size <= 1e-13 * (
            1.0 + float(np.linalg.norm(self.w))
        )

    def _direction(self, gradient: Floats, beta: Floats, pace: float) -> Floats:
        it = self.problem
        inside = (beta > it.lower) & (beta < it.upper)
        if it.epsilon:
            inside &= beta != 0
        rows = np.flatnonzero(inside)
        X, curvature = it.X[rows], 1.0 / (it.ridge[rows] + 1.0 / pace)
        if X.shape[1] > _LARGEST_MATRIX:
            return _by_gradients(X, curvature, it.last, it.weights, gradient)
        weighted = X.multiply(curvature[:, None]).tocsr() if issparse(X) else X * curvature[:, None]
        p = X.shape[1]
        H = np.empty((p + 1, p + 1))
        block = X.T @ weighted
        H[:p, :p] = block.toarray() if issparse(block) else block
        H[:p, p] = H[p, :p] = it.last * np.asarray(X.T @ curvature).ravel()
        H[p, p] = it.last**2 * curvature.sum()
        H[np.arange(p + 1), np.arange(p + 1)] += it.weights
        if H[p, p] == 0:  # a free intercept that no row holds
            H[p, p] = 1.0
        return _solved(H, -gradient)

    def _look(self, beta: Floats) -> Iterate:
        it = self.problem
        primal, dual = it.primal(self.w, self.z), it.dual(beta, it.pull(beta))
        gap = max(primal - dual, 0.0)
        return Iterate(
            self.w.copy(),
            primal,
            it.relative(gap, primal),
            self.steps,
            (primal - dual,),
            extras={"beta": beta, "dual": primal - gap},
        )


def _solved(H: Floats, rhs: Floats) -> Floats:
    """Solution in units of the diagonal, so that columns of very different size do no harm."""
    unit = 1.0 / np.sqrt(np.diagonal(H))
    scaled = H * unit[:, None] * unit
    for lift in (0.0, 1e-14, 1e-11, 1e-8):
        try:
            factor = cho_factor(scaled + lift * np.eye(len(H)))
        except LinAlgError:
            continue
        return np.asarray(unit * cho_solve(factor, unit * rhs))
    steepest: Floats = unit**2 * rhs
    return steepest


def _by_gradients(
    X: Any, curvature: Floats, last: float, weights: Floats, gradient: Floats
) -> Floats:
    """Conjugate gradients on the Newton system, the diagonal as preconditioner."""
    square = X.multiply(X) if issparse(X) else X * X
    diagonal = np.append(np.asarray(square.T @ curvature).ravel(), last**2 * curvature.sum())
    diagonal += np.maximum(weights, 1e-12)

    def times(v: Floats) -> Floats:
        inner = curvature * (X @ v[:-1] + last * v[-1])
        out: Floats = weights * v
        out[:-1] += X.T @ inner
        out[-1] += last * inner.sum()
        return out

    step, residual = np.zeros_like(gradient), -gradient
    search = residual / diagonal
    before = float(residual @ search)
    goal = 1e-2 * before
    for _ in range(200):
        image = times(search)
        length = before / float(search @ image)
        step += length * search
        residual = residual - length * image
        scaled = residual / diagonal
        after = float(residual @ scaled)
        if after <= goal * 1e-2:
            break
        search = scaled + after / before * search
        before = after
    return step
