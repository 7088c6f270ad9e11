"""Gaussian process by conjugate gradients, for many rows and any kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from margin.core import memory, objects
from margin.core.types import Floats
from margin.gp._noise import Split, split
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Evaluation, Observations, Solver
from margin.gp.solvers._iterative import Preconditioned, evaluate
from margin.gp.solvers._iterative_posterior import IterativePosterior, stochastic_diagonal
from margin.gp.solvers._preconditioner import LowRank
from margin.kernels import apply, nystroem

RANK = 500
_FLOOR = 1e-6
_BLOCK_BYTES = 1 << 22
_FACTORED_ROWS = 10_000


@dataclass(frozen=True)
class ConjugateGradients(Solver):
    r"""Preconditioned conjugate gradients: exact up to a tolerance, :math:`O(n^2)` (gp.05).

    The matrix enters only by its products with blocks of vectors, and is kept where it fits into
    memory, else made again block by block. The log-determinant comes from stochastic Lanczos
    quadrature, its derivative from the same probes; both are corrections to the exact values of
    the preconditioner, which is low rank plus noise.

    Parameters
    ----------
    rows : ndarray of int
        Rows of the preconditioner.
    floor : float
        Added to the noise in the preconditioner only.
    """

    name: ClassVar[str] = "cg"
    rows: Any = field(compare=False)
    floor: float = 0.0

    @classmethod
    def of(cls, kernel: Any, seen: Observations) -> ConjugateGradients:
        """Rows by pivoted Cholesky factorisation at a kernel."""
        latent = split(kernel).latent
        # The preconditioner costs n r² once and saves products of n²: this balances them.
        rank = min(RANK, int(5 * np.sqrt(seen.n)), seen.n)
        rows = nystroem(latent, seen.X, rank, landmarks="pivoted").indices
        return cls(rows, _FLOOR * float(np.mean(latent.diag(seen.X))))

    def resolution(self, n: int) -> float:
        """Gradient per row that the probes cannot tell from zero.

        About a tenth of its statistical error: a search for more would fit noise.
        """
        return float(0.1 / np.sqrt(n))

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        return evaluate(KernelSystem.of(self, kernel, seen), seen, gradient=gradient)

    def condition(self, kernel: Any, seen: Observations) -> IterativePosterior:
        fresh = ConjugateGradients.of(kernel, seen)
        return IterativePosterior.of(KernelSystem.of(fresh, kernel, seen), seen)


@dataclass(frozen=True, eq=False)
class KernelSystem(Preconditioned):
    r"""The covariance :math:`C = K + \operatorname{diag}(s)` by blocks of rows.

    Parameters
    ----------
    kernel : Kernel
    parts : Split
        The same as function and noise.
    seen : Observations
    noise : ndarray of shape (n,)
    rough : LowRank
        Preconditioner.
    """

    kernel: Any
    parts: Split
    seen: Observations
    noise: Floats
    rough: LowRank

    @classmethod
    def of(cls, solver: ConjugateGradients, kernel: Any, seen: Observations) -> KernelSystem:
        """The system at one kernel."""
        parts = split(kernel)
        Z, noise = objects.take(seen.X, solver.rows), seen.noise + parts.level
        rough = LowRank.of(parts.latent, seen.X, Z, noise + solver.floor)
        return cls(kernel, parts, seen, noise, rough)

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.seen.n

    @property
    def about(self) -> tuple[str, ...]:
        kept = "kept" if self._kept is not None else "made again for every product"
        rank = self.rough.features.shape[1]
        return (f"kernel matrix {kept}, preconditioner of rank {rank}",)

    @cached_property
    def _kept(self) -> Floats | None:
        free = memory.available()
        if free is not None and 2 * 8 * self.n * self.n > free:
            return None
        return np.ascontiguousarray(self.parts.latent(self.seen.X), dtype=np.float64)

    def __getstate__(self) -> dict[str, Any]:
        # The matrix can be made again: it shall not be part of a saved model.
        return {name: value for name, value in vars(self).items() if name != "_kept"}

    def apply(self, V: Floats) -> Floats:
        if self._kept is not None:
            product = (np.ascontiguousarray(V.T) @ self._kept).T
        else:
            X = self.seen.X
            product = apply(self.parts.latent, X, X, V, n_bytes=_BLOCK_BYTES)
        return np.asarray(product + self.noise[:, None] * V)

    def precondition(self, V: Floats) -> Floats:
        return self.rough.solve(V)

    @property
    def log_det(self) -> float:
        return self.rough.log_det

    def colour(self, rng: np.random.Generator, count: int) -> Floats:
        return self.rough.colour(rng, count)

    def cross(self, kernel: Any, X: Any) -> Floats:
        return np.asarray(kernel(X, self.seen.X), dtype=np.float64)

    def gradient(self, exact: Floats, solved: Floats, rough: Floats, k: int) -> Floats:
        share = 0.5 * k / rough.shape[1]
        left, right = np.hstack([0.5 * exact, -share * solved]), np.hstack([exact, rough])
        theta = self.slopes(left, right)
        own, trace = self.rough.gradient(rough, 1.0 / rough.shape[1])
        noise = float(np.einsum("ij,ij->", left, right)) - 0.5 * k * trace
        return self.parts.gradient(theta - 0.5 * k * own, noise)

    def slopes(self, left: Floats, right: Floats) -> Floats:
        r""":math:`\sum_j l_j^\top \partial K\, r_j` for pairs of columns, block by block."""
        X, theta = self.seen.X, np.zeros(len(self.parts.latent.theta))
        step = max(1, _BLOCK_BYTES // (8 * self.n))
        for start in range(0, self.n, step):
            part, weight = slice(start, start + step), left[start : start + step] @ right.T
            theta += self.parts.latent.cross_gradient(X[part], X, weight, points=False)[0]
        return theta

    def inverse_diagonal(self) -> Floats:
        free, need = memory.available(), 3 * 8 * self.n * self.n
        if self.n <= _FACTORED_ROWS and (free is None or need <= free):
            return Exact().condition(self.kernel, self.seen).cov.inverse_diagonal()
        variance = np.asarray(self.parts.latent.diag(self.seen.X)) + self.noise
        return stochastic_diagonal(self, self.rough.inverse_diagonal, self.noise, variance)
