"""Exact Gaussian process by Cholesky factorisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import blas, lapack

from margin.core.types import Floats
from margin.gp.solvers._interface import Evaluation, Held, Observations, Posterior, Solver
from margin.kernels import Constrained, Sum, White
from margin.linalg import Cholesky, kernel_cholesky, mirrored

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class _Solved:
    """Factor of the covariance of the targets and what follows from it."""

    cov: Cholesky
    basis: Cholesky | None
    alpha: Floats
    spread: Floats
    value: float


def _solve(kernel: Any, seen: Observations, *, clean: bool) -> _Solved:
    r"""Log marginal likelihood with the coefficients of the mean integrated out.

    With :math:`C = K + \operatorname{diag}(s)`, :math:`A = H^\top C^{-1} H` and
    :math:`P = C^{-1} - C^{-1} H A^{-1} H^\top C^{-1}`:
    :math:`-\tfrac12 [y^\top P y + \log\det C + \log\det A + (n - r) \log 2\pi]`. ``spread``
    is :math:`F` with :math:`P = C^{-1} - F F^\top`.
    """
    K, level = covariance(kernel, seen.X)
    K.flat[:: len(K) + 1] += seen.noise + level
    cov = kernel_cholesky(K, kernel, clean=clean)
    alpha = cov.solve(seen.Y)
    n, k = seen.Y.shape
    rank, basis = seen.H.shape[1], None
    spread, value = np.empty((n, 0)), -0.5 * k * (cov.log_det + (n - rank) * _LOG_2PI)
    if rank:
        half = cov.half_solve(seen.H)
        basis = kernel_cholesky(half.T @ half, "the mean")
        spread = basis.half_solve(cov.half_solve(half, transpose=True).T).T
        alpha = alpha - spread @ (spread.T @ seen.Y)
        value -= 0.5 * k * basis.log_det
    value -= 0.5 * float(np.einsum("ij,ij->", seen.Y, alpha))
    return _Solved(cov, basis, alpha, spread, value)


def covariance(kernel: Any, X: Any) -> tuple[Floats, float]:
    """A matrix and what is still to be added to its diagonal: noise needs no matrix of its own."""
    level, function = 0.0, kernel.kernel if isinstance(kernel, Constrained) else kernel
    kernel = function
    if isinstance(kernel, Sum) and any(isinstance(part, White) for part in kernel.parts):
        rest = tuple(part for part in kernel.parts if not isinstance(part, White))
        level = sum(part.noise_level for part in kernel.parts if isinstance(part, White))
        function = rest[0] if len(rest) == 1 else Sum(rest) if rest else kernel
        level = level if rest else 0.0
    return np.ascontiguousarray(function(X), dtype=np.float64), level


@dataclass(frozen=True)
class Exact(Solver):
    r"""Dense Cholesky factorisation: :math:`O(n^3)` time, two matrices of memory (gp.05)."""

    name: ClassVar[str] = "exact"

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        r"""Gradient :math:`\tfrac12 \operatorname{tr}[(\sum\alpha\alpha^\top - kP)\,\partial K]`.

        The inverse comes from the factor, half of it, in the memory of the factor.
        """
        solved = _solve(kernel, seen, clean=False)
        if not gradient or not len(kernel.theta):
            return Evaluation(solved.value, np.zeros(len(kernel.theta)))
        k = seen.Y.shape[1]
        inverse, _ = lapack.dpotri(solved.cov.lower, lower=1, overwrite_c=1)
        columns = np.asfortranarray(np.hstack([solved.alpha, np.sqrt(k) * solved.spread]))
        weight = blas.dsyrk(-0.5, columns, beta=0.5 * k, c=inverse, lower=1, overwrite_c=1)
        # Symmetric, so its transpose is the same matrix in the order that compiled loops read.
        return Evaluation(solved.value, -kernel.gradient_product(seen.X, mirrored(weight).T))

    def condition(self, kernel: Any, seen: Observations) -> ExactPosterior:
        solved = _solve(kernel, seen, clean=True)
        coefficients = np.empty((0, seen.Y.shape[1]))
        if solved.basis is not None:
            half = solved.cov.half_solve(seen.H)
            coefficients = solved.basis.solve(half.T @ solved.cov.half_solve(seen.Y))
        return ExactPosterior(
            seen.X,
            seen.Y,
            seen.H,
            solved.cov,
            solved.basis,
            solved.alpha,
            solved.spread,
            coefficients,
        )


@dataclass(frozen=True, eq=False)
class ExactPosterior(Posterior):
    r"""Posterior :math:`k_*^\top C^{-1}(y - H\beta) + h_*^\top\beta` and its covariance."""

    X: Any
    Y: Floats
    H: Floats
    cov: Cholesky
    basis: Cholesky | None
    alpha: Floats
    spread: Floats
    coefficients: Floats

    @property
    def repairs(self) -> tuple[str, ...]:
        """Jitter that the covariance of the targets needed."""
        return tuple(filter(None, (self.cov.repair,)))

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        cross = kernel(X, self.X)
        mean = cross @ self.alpha + H @ self.coefficients
        if diag is None:
            return mean, None
        half, extra = self._halves(cross, H)
        var = diag - np.einsum("ij,ij->j", half, half) + np.einsum("ij,ij->j", extra, extra)
        return mean, np.maximum(var, 0.0)

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        half, extra = self._halves(kernel(X, self.X), H)
        cov = prior - half.T @ half + extra.T @ extra
        cov = 0.5 * (cov + cov.T)
        np.fill_diagonal(cov, np.maximum(np.diagonal(cov), 0.0))
        return cov

    def _halves(self, cross: Floats, H: Floats) -> tuple[Floats, Floats]:
        r"""Roots of what the data explain and of what the unknown coefficients leave open.

        The second is the root of :math:`R^\top A^{-1} R` with
        :math:`R = h_* - H^\top C^{-1} k_*`.
        """
        half = self.cov.half_solve(np.ascontiguousarray(cross.T, dtype=np.float64))
        if self.basis is None:
            return half, np.empty((0, len(cross)))
        rest = H.T - self.cov.half_solve(self.H).T @ half
        return half, self.basis.half_solve(rest)

    def leave_one_out(self) -> Held:
        r"""Mean :math:`y_i - (Py)_i / P_{ii}` and variance :math:`1 / P_{ii}`."""
        precision = self.cov.inverse_diagonal() - np.einsum("ij,ij->i", self.spread, self.spread)
        return Held(self.Y - self.alpha / precision[:, None], 1.0 / precision)
