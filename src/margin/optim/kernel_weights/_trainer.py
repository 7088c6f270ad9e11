"""Machines trained with a weighted sum of kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from margin.core.types import Floats, Indices
from margin.optim.duals._gram import GramMatrix
from margin.optim.duals._machine import Machine
from margin.optim.duals._smo import SMO
from margin.optim.kernel_weights._tasks import Duel, Tube

# Beside a hundred per row, in one machine of a search that trains many of them.
_MOST_PAIRS = 1_000_000
SHARPEST = 1e-11


class MatrixStack(Protocol):
    """Several kernel matrices of the same objects."""

    @property
    def factors(self) -> Floats:
        """What every matrix is multiplied by."""

    def combined(self, weights: Floats) -> Any:
        r"""The matrix :math:`\sum_m d_m K_m`."""

    def products(self, B: Floats) -> Floats:
        r"""The blocks :math:`K_m B`, of shape (m, n, k)."""


@dataclass(frozen=True, eq=False)
class WeightedMachines:
    r"""All machines trained with the weights :math:`d`.

    Parameters
    ----------
    weights : ndarray of shape (m,)
    machines : tuple of Machine
    free : tuple of ndarray of int, unbound rows of every machine.
    products : ndarray of shape (m, n, k), the blocks :math:`K_m B`.
    norms : ndarray of shape (m,), :math:`\sum_k \beta_k^\top K_m \beta_k`.
    primal : float, sum of the primal values: above the least value over all weights.
    linear : float, the dual value for these weights without its quadratic part.
    """

    weights: Floats
    machines: tuple[Machine, ...]
    free: tuple[Indices, ...]
    products: Floats
    norms: Floats
    primal: float
    linear: float

    @property
    def gradient(self) -> Floats:
        """Derivative of the optimal value in the weights."""
        return -0.5 * self.norms

    @property
    def fixed_dual(self) -> float:
        """Dual value for these weights."""
        return self.linear - 0.5 * float(self.weights @ self.norms)


class Trainer:
    """Trains the machines of all duels for given weights, from where they were before."""

    def __init__(
        self, stack: MatrixStack, duels: Sequence[Duel | Tube], tol: float, n_threads: int
    ) -> None:
        self.stack, self.duels, self.n_threads = stack, duels, n_threads
        self.share, self.tol = 0.1 * tol, min(1e-3, tol)
        self.start: list[Floats | None] = [None] * len(duels)

    def at(self, weights: Floats) -> WeightedMachines:
        """The machines of some weights; its own gap is a small part of the tolerance."""
        gram = GramMatrix(self.stack.combined(weights))
        while True:
            machines = [self._train(gram, k) for k in range(len(self.duels))]
            proofs = [machine.solution.extras["optimality"] for machine in machines]
            primal, gap = sum(p.primal for p in proofs), sum(p.gap for p in proofs)
            if gap <= self.share * abs(primal) or self.tol <= SHARPEST:
                break
            self.tol *= 0.1
        coef = np.zeros((gram.n, len(self.duels)))
        for k, (duel, machine) in enumerate(zip(self.duels, machines, strict=True)):
            coef[duel.rows, k] = machine.coef
        products = self.stack.products(coef)
        norms = np.maximum(np.einsum("nk,mnk->m", coef, products), 0.0)
        free = tuple(map(_unbound, self.duels, machines))
        linear = primal - gap + 0.5 * float(weights @ norms)
        return WeightedMachines(weights, tuple(machines), free, products, norms, primal, linear)

    def sharpen(self) -> bool:
        """Ask the machines for more digits; whether there are more."""
        more = self.tol > SHARPEST
        self.tol, self.share = 0.01 * self.tol, 0.1 * self.share
        return more

    def _train(self, gram: GramMatrix, k: int) -> Machine:
        duel = self.duels[k]
        problem = duel.problem(gram, self.start[k])
        most = _MOST_PAIRS + 100 * len(problem.target)
        solution = SMO(tol=self.tol, max_iter=most, n_threads=self.n_threads).run(problem)
        self.start[k] = solution.x
        at, scores = solution.extras["optimality"], solution.extras["scores"]
        coef = problem.by_row(solution.x)[duel.rows] if problem.rows is not None else solution.x
        return Machine(coef, float(at.bias[0]), scores[duel.rows], duel.bound, solution)


def _unbound(duel: Duel | Tube, machine: Machine) -> Indices:
    """Rows with a coefficient between zero and the bound."""
    size = np.abs(machine.coef)
    return duel.rows[(size > 0) & (size < duel.bound)]
