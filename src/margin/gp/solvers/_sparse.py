"""Gaussian process through inducing points: FITC and the variational bound."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.gp._noise import split
from margin.gp.solvers._inducing_rows import InducingRows
from margin.gp.solvers._interface import Evaluation, Held, Observations, Posterior, Solver
from margin.gp.solvers._sparse_gradient import sparse_gradient
from margin.gp.solvers._sparse_summary import Summary
from margin.linalg import Cholesky


@dataclass(frozen=True)
class Sparse(Solver):
    r"""The process seen through its values at ``m`` inducing points: :math:`O(n m^2)`.

    With :math:`Q = K_{fu} K_{uu}^{-1} K_{uf}` the targets have the covariance :math:`Q + \Lambda`.
    The variational bound of Titsias has :math:`\Lambda = \sigma^2 I` and subtracts
    :math:`\tfrac1{2\sigma^2} \operatorname{tr}(K - Q)`: it never exceeds the exact log marginal
    likelihood. FITC has :math:`\Lambda = \operatorname{diag}(K - Q) + \sigma^2 I` instead. Rows
    come in blocks, so that memory is :math:`O(m^2 + m b)` for blocks of ``b`` rows.

    Parameters
    ----------
    Z : array of shape (m, d), or a list of m objects
        Inducing points.
    fitc : bool
        Whether it is FITC.
    learn_points : bool
        Whether the points are moved to raise the objective.
    """

    name: ClassVar[str] = "sparse"
    Z: Any
    fitc: bool = False
    learn_points: bool = False
    scale: Any = field(default=None, compare=False)

    def extra(self) -> Floats:
        return (self.Z / self.scale).ravel() if self.learn_points else np.empty(0)

    def with_extra(self, extra: Floats) -> Sparse:
        if not self.learn_points:
            return self
        return replace(self, Z=extra.reshape(self.Z.shape) * self.scale)

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        summary = self._summary(kernel, seen)
        if not gradient:
            return Evaluation(summary.value, np.empty(0))
        theta, points = sparse_gradient(summary, points=self.learn_points)
        if not self.learn_points:
            return Evaluation(summary.value, theta)
        if points is None:
            need = "False for a kernel that has no derivatives in its inputs"
            raise check.fail("Sparse Gaussian process", "learn_inducing", need, True)
        return Evaluation(summary.value, np.concatenate([theta, (points * self.scale).ravel()]))

    def _summary(self, kernel: Any, seen: Observations) -> Summary:
        return Summary.of(InducingRows.of(self.Z, self.fitc, split(kernel), seen))

    def condition(self, kernel: Any, seen: Observations) -> SparsePosterior:
        summary = self._summary(kernel, seen)
        k = seen.Y.shape[1]
        means, precisions = [], []
        for rows, V, lam, _ in summary.rows.blocks():
            U = summary.inner.half_solve(V)
            inverse = 1.0 / lam - np.einsum("ij,ij->j", U, U) / lam**2
            columns = (summary.rhs[rows] - V.T @ summary.W) / lam[:, None] @ summary.mix
            spread = columns[:, k:] / np.sqrt(k)
            precision = inverse - np.einsum("ij,ij->i", spread, spread)
            means.append(seen.Y[rows] - columns[:, :k] / precision[:, None])
            precisions.append(precision)
        return SparsePosterior(
            self.Z,
            summary.rows.outer,
            summary.inner,
            summary.W @ summary.mix[:, :k],
            summary.W[:, k:],
            summary.basis,
            summary.beta,
            Held(np.concatenate(means), 1.0 / np.concatenate(precisions)),
        )


@dataclass(frozen=True, eq=False)
class SparsePosterior(Posterior):
    """Posterior through the inducing points; what it needs of the rows is small."""

    Z: Any
    outer: Cholesky
    inner: Cholesky
    weights: Floats
    spread: Floats
    basis: Cholesky | None
    coefficients: Floats
    held: Held

    @property
    def repairs(self) -> tuple[str, ...]:
        """Jitter that the covariance of the inducing points needed."""
        return tuple(filter(None, (self.outer.repair,)))

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        v, u, extra = self._halves(kernel, X, H)
        mean = v.T @ self.weights + H @ self.coefficients
        if diag is None:
            return mean, None
        squares = [np.einsum("ij,ij->j", part, part) for part in (v, u, extra)]
        return mean, np.maximum(diag - squares[0] + squares[1] + squares[2], 0.0)

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        v, u, extra = self._halves(kernel, X, H)
        cov = prior - v.T @ v + u.T @ u + extra.T @ extra
        cov = 0.5 * (cov + cov.T)
        np.fill_diagonal(cov, np.maximum(np.diagonal(cov), 0.0))
        return cov

    def _halves(self, kernel: Any, X: Any, H: Floats) -> tuple[Floats, Floats, Floats]:
        cross = np.asfortranarray(split(kernel).latent(X, self.Z).T, dtype=np.float64)
        v = self.outer.half_solve(cross)
        u = self.inner.half_solve(v)
        if self.basis is None:
            return v, u, np.empty((0, len(H)))
        return v, u, self.basis.half_solve(H.T - self.spread.T @ v)

    def leave_one_out(self) -> Held:
        return self.held
