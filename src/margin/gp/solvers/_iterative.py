"""Marginal likelihood from products with the covariance of the targets, without a factor of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import FitError, Status
from margin.core.types import Floats
from margin.gp.solvers._interface import Evaluation, Observations
from margin.linalg import (
    BlockSolution,
    Cholesky,
    TraceEstimate,
    block_conjugate_gradient,
    kernel_cholesky,
    log_det_ratio,
)

PROBES = 16
# Quadratic forms are exact to the square of these; the probes have an error of their own.
LEARNING, PROBING, FINAL = 1e-4, 1e-3, 1e-8
MAX_ITER = 500
_LOG_2PI = float(np.log(2 * np.pi))
_SEED = 20180928


class System(ABC):
    """Covariance ``C`` of the targets at one kernel, by what can be done with it."""

    kernel: Any

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of rows."""

    @abstractmethod
    def solve(self, B: Floats, tol: Any) -> tuple[Floats, Any]:
        r""":math:`C^{-1} B`, and how it was found: a BlockSolution, or None for exact answers."""

    @abstractmethod
    def cross(self, kernel: Any, X: Any) -> Any:
        """Covariance of the function at new objects and the training ones, dense or sparse."""

    @abstractmethod
    def inverse_diagonal(self) -> Floats:
        """Diagonal of the inverse."""

    @property
    @abstractmethod
    def about(self) -> tuple[str, ...]:
        """What a reader should know of how answers are found."""


class Preconditioned(System):
    """A system that is solved by conjugate gradients with a preconditioner ``M``."""

    @abstractmethod
    def apply(self, V: Floats) -> Floats:
        """``C @ V``."""

    @abstractmethod
    def precondition(self, V: Floats) -> Floats:
        """``M^-1 @ V``."""

    @property
    @abstractmethod
    def log_det(self) -> float:
        r""":math:`\log\det M`, exact."""

    @abstractmethod
    def colour(self, rng: np.random.Generator, count: int) -> Floats:
        """Draws from :math:`N(0, M)`, the same function of the hyper-parameters every time."""

    @abstractmethod
    def gradient(self, exact: Floats, solved: Floats, rough: Floats, k: int) -> Floats:
        r"""Derivatives of the log marginal likelihood in the free hyper-parameters.

        .. math:: \tfrac12 \sum_j a_j^\top \partial C\, a_j - \tfrac k2 \Bigl[
            \operatorname{tr}(M^{-1} \partial M) + \tfrac1t \sum_i \bigl(s_i^\top \partial C\, w_i -
            w_i^\top \partial M\, w_i\bigr) \Bigr]

        with :math:`a` the columns of ``exact``, :math:`s = C^{-1} z` those of ``solved`` and
        :math:`w = M^{-1} z` those of ``rough``. What is random is only the difference of the two
        traces, which is small where ``M`` is close to ``C``.
        """

    def solve(self, B: Floats, tol: Any) -> tuple[Floats, BlockSolution]:
        solution = block_conjugate_gradient(
            self.apply, B, preconditioner=self.precondition, tol=tol, max_iter=MAX_ITER
        )
        if solution.interrupted:  # of a larger search, or of an answer
            raise KeyboardInterrupt
        if solution.status is Status.FAILED:
            raise FitError(f"kernel matrix of {self.kernel}: {solution.message}")
        return solution.x, solution


@dataclass(frozen=True, eq=False)
class Projection:
    r"""Solutions for targets and basis of the mean, with its coefficients integrated out.

    With :math:`A = H^\top C^{-1} H`, ``spread`` is :math:`F = C^{-1} H A^{-1/2}`, so that
    :math:`P = C^{-1} - F F^\top`, ``alpha`` is :math:`P Y`, ``solved`` is :math:`C^{-1} H`.
    """

    alpha: Floats
    spread: Floats
    solved: Floats
    basis: Cholesky | None
    coefficients: Floats

    @classmethod
    def of(cls, seen: Observations, inverse: Floats) -> Projection:
        """From :math:`C^{-1} [Y, H]`."""
        k, rank = seen.Y.shape[1], seen.H.shape[1]
        alpha, solved = inverse[:, :k], inverse[:, k : k + rank]
        if not rank:
            return cls(alpha, solved, solved, None, np.empty((0, k)))
        A = seen.H.T @ solved
        basis = kernel_cholesky(0.5 * (A + A.T), "the mean")
        spread = basis.half_solve(solved.T).T
        coefficients = basis.solve(solved.T @ seen.Y)
        return cls(alpha - spread @ (spread.T @ seen.Y), spread, solved, basis, coefficients)

    def value(self, seen: Observations, log_det: float) -> float:
        r""":math:`-\tfrac12[y^\top P y + \log\det C + \log\det A + (n - r)\log 2\pi]`."""
        k, rank = seen.Y.shape[1], seen.H.shape[1]
        total = k * (log_det + (seen.n - rank) * _LOG_2PI)
        total += k * self.basis.log_det if self.basis is not None else 0.0
        return -0.5 * float(total + np.einsum("ij,ij->", seen.Y, self.alpha))

    def columns(self, k: int) -> Floats:
        r""":math:`[\alpha, \sqrt k F]`: half the sum of their squares weighs the derivatives."""
        return np.hstack([self.alpha, np.sqrt(k) * self.spread])


def log_det_by_probes(
    system: Preconditioned, seen: Observations
) -> tuple[Projection, TraceEstimate, BlockSolution, Floats]:
    """One block of conjugate gradients for targets, mean and probes."""
    k = seen.Y.shape[1] + seen.H.shape[1]
    probes = system.colour(np.random.default_rng(_SEED), PROBES)
    tol = np.repeat([LEARNING, PROBING], [k, PROBES])
    inverse, solution = system.solve(np.hstack([seen.Y, seen.H, probes]), tol)
    ratio = log_det_ratio(solution, slice(k, None))
    return Projection.of(seen, inverse[:, :k]), ratio, solution, probes


def evaluate(system: Preconditioned, seen: Observations, *, gradient: bool) -> Evaluation:
    """Log marginal likelihood, its derivative from the same probes, and its standard error."""
    projection, ratio, solution, probes = log_det_by_probes(system, seen)
    value = projection.value(seen, system.log_det + ratio.value)
    k = seen.Y.shape[1]
    error = 0.5 * k * ratio.standard_error
    if not gradient:
        return Evaluation(value, np.empty(0), error)
    solved, rough = solution.x[:, -PROBES:], system.precondition(probes)
    slope = system.gradient(projection.columns(k), solved, rough, k)
    return Evaluation(value, slope, error)
