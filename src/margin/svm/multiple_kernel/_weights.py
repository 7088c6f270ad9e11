"""Weights of several kernels, learnt together with the machines that use them."""

from dataclasses import dataclass

import numpy as np

from margin.core import Certificate, Solution, Status
from margin.optim import SMO, GramMatrix
from margin.svm.kernel._dual_fit import Machine, soft_margin, tube
from margin.svm.multiple_kernel._steps import closed_step, largest_sum, newton_step

KIND = "relative duality gap"
SHARPEST = 1e-11


@dataclass(frozen=True, eq=False)
class Duel:
    """One machine: its rows, their signs and the largest size of their coefficients."""

    rows: np.ndarray
    sign: np.ndarray
    bound: np.ndarray

    def problem(self, gram, start):
        """The dual of this machine."""
        rows = None if len(self.rows) == gram.n else self.rows
        return soft_margin(gram, self.sign, self.bound, start, rows)

    def unbound(self, coef):
        """Rows with a coefficient between zero and the bound."""
        size = np.abs(coef)
        return self.rows[(size > 0) & (size < self.bound)]


@dataclass(frozen=True, eq=False)
class Tube:
    """One regression: its rows, their numbers, largest coefficients and the half width."""

    rows: np.ndarray
    y: np.ndarray
    bound: np.ndarray
    epsilon: float

    def problem(self, gram, start):
        """The dual of this machine."""
        return tube(gram, self.y, self.bound, self.epsilon, start)

    unbound = Duel.unbound


@dataclass(frozen=True, eq=False)
class Point:
    r"""All machines trained with the weights :math:`d`.

    Parameters
    ----------
    weights : ndarray of shape (m,)
    machines : list of Machine
    free : list of ndarray of int, unbound rows of every machine.
    products : ndarray of shape (m, n, k), the blocks :math:`K_m B`.
    norms : ndarray of shape (m,), :math:`\sum_k \beta_k^\top K_m \beta_k`.
    primal : float, sum of the primal values: above the least value over all weights.
    linear : float, the dual value for these weights without its quadratic part.
    """

    weights: np.ndarray
    machines: list[Machine]
    free: list[np.ndarray]
    products: np.ndarray
    norms: np.ndarray
    primal: float
    linear: float

    @property
    def gradient(self):
        """Derivative of the optimal value in the weights."""
        return -0.5 * self.norms

    @property
    def fixed_dual(self):
        """Dual value for these weights."""
        return self.linear - 0.5 * float(self.weights @ self.norms)


class Trainer:
    """Trains the machines of all duels for given weights, from where they were before."""

    def __init__(self, stack, duels, tol, n_threads):
        self.stack, self.duels, self.n_threads = stack, duels, n_threads
        self.share, self.tol = 0.1 * tol, min(1e-3, tol)
        self.start = [None] * len(duels)

    def at(self, weights):
        """The :class:`Point` of some weights; its own gap is a small part of the tolerance."""
        gram = GramMatrix(self.stack.combined(weights))
        while True:
            machines = [self._train(gram, k) for k in range(len(self.duels))]
            primal = sum(made.solution.extras["optimality"].primal for made in machines)
            gap = sum(made.solution.extras["optimality"].gap for made in machines)
            if gap <= self.share * abs(primal) or self.tol <= SHARPEST:
                break
            self.tol *= 0.1
        coef = np.zeros((gram.n, len(self.duels)))
        for k, (duel, machine) in enumerate(zip(self.duels, machines, strict=True)):
            coef[duel.rows, k] = machine.coef
        products = self.stack.products(coef)
        norms = np.maximum(np.einsum("nk,mnk->m", coef, products), 0.0)
        free = [duel.unbound(made.coef) for duel, made in zip(self.duels, machines, strict=True)]
        linear = primal - gap + 0.5 * float(weights @ norms)
        return Point(weights, machines, free, products, norms, primal, linear)

    def sharpen(self):
        """Ask the machines for more digits; whether there are more."""
        more = self.tol > SHARPEST
        self.tol, self.share = 0.01 * self.tol, 0.1 * self.share
        return more

    def _train(self, gram, k):
        duel = self.duels[k]
        problem = duel.problem(gram, self.start[k])
        solution = SMO(tol=self.tol, n_threads=self.n_threads).run(problem)
        self.start[k] = solution.x
        at, scores = solution.extras["optimality"], solution.extras["scores"]
        coef = problem.by_row(solution.x)[duel.rows] if problem.rows is not None else solution.x
        return Machine(coef, float(at.bias[0]), scores[duel.rows], duel.bound, solution)


def search(trainer, norm, tol, max_iter, rng, tick):
    """Improve equal weights until the duality gap is small.

    Returns
    -------
    Point
    Solution
    """
    m = len(trainer.stack.names)
    point = trainer.at(np.full(m, 1.0 / m))
    floor, status, message = -np.inf, None, ""
    trace: dict[str, list[float]] = {"objective": [], "gap": []}
    for made in range(1, max_iter + 1):
        floor = max(floor, point.linear - 0.5 * largest_sum(point.norms, norm))
        gap = max(point.primal - floor, 0.0) / max(abs(point.primal), 1e-300)
        trace["objective"].append(point.primal)
        trace["gap"].append(point.primal - floor)
        tick(made, point.primal)
        if gap <= tol:
            status = Status.CONVERGED
            break
        step = newton_step(point, trainer, rng) if norm == 1 else closed_step(point, trainer, norm)
        if step is None and trainer.sharpen():
            step = trainer.at(point.weights)
        if step is None:
            status = Status.STALLED
            message = f"no better weights found at a relative duality gap of {gap:.3g}"
            break
        point = step
    if status is None:
        status = Status.MAX_ITER
        message = (
            f"stopped after max_iter={max_iter} changes of the weights with a relative duality gap "
            f"of {gap:.3g} above tol={tol:g}; raise max_iter or tol"
        )
    return point, Solution(
        x=point.weights,
        status=status,
        n_iter=made,
        objective=point.primal,
        trace={name: np.array(values) for name, values in trace.items()},
        certificate=Certificate(KIND, gap, tol),
        solver=f"{'reduced Newton' if norm == 1 else 'closed-form'} steps over SMO",
        message=message,
        extras={"gap": point.primal - floor},
    )


def fixed(trainer, weights, tol, how):
    """Machines for weights that stay as they are."""
    point = trainer.at(weights)
    gap = point.primal - point.fixed_dual
    return point, Solution(
        x=weights,
        status=Status.CONVERGED,
        n_iter=1,
        objective=point.primal,
        trace={"objective": np.array([point.primal]), "gap": np.array([gap])},
        certificate=Certificate(KIND, max(gap, 0.0) / max(abs(point.primal), 1e-300), tol),
        solver=f"SMO with weights by {how}",
        extras={"gap": gap},
    )
