"""The covariance of several targets that vary together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import lapack

from margin.core.types import Floats, Places
from margin.gp.solvers._interface import Evaluation, Solver
from margin.linalg import Cholesky, kernel_cholesky, mirrored

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class Measurements:
    """Numbers that were measured, each with its row and its target.

    Parameters
    ----------
    X : array of shape (n_rows, d), or a list of objects
    values : ndarray of shape (N,)
    rows, targets : ndarray of int of shape (N,)
        Sorted by target.
    n_targets : int
    """

    X: Any
    values: Floats
    rows: Places
    targets: Places
    n_targets: int

    @classmethod
    def of(cls, X: Any, Y: Floats) -> Measurements:
        """All entries of a table of targets that are not NaN."""
        targets, rows = np.nonzero(~np.isnan(Y).T)
        return cls(X, Y[rows, targets], rows, targets, Y.shape[1])

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.values)

    @property
    def height(self) -> Floats:
        """Value of the normalised indicator of each target."""
        return np.asarray(1.0 / np.sqrt(np.bincount(self.targets, minlength=self.n_targets)))

    @property
    def levels(self) -> Floats:
        """Orthonormal indicators of the targets, whose unknown levels are integrated out."""
        return np.eye(self.n_targets)[self.targets] * self.height


@dataclass(frozen=True, eq=False)
class Solved:
    """Factors, dual and level coefficients, log likelihood; as for the exact solver."""

    cov: Cholesky
    basis: Cholesky
    half: Floats
    spread: Floats
    alpha: Floats
    coefficients: Floats
    value: float


@dataclass(frozen=True)
class Coregionalized(Solver):
    r"""Covariance :math:`B_{st}\,k(x, x') + \sigma_t^2 [\text{same}]` of targets ``s``, ``t``.

    Every target has an unknown level of its own, integrated out under a flat prior.

    Parameters
    ----------
    root : ndarray of shape (T, T)
        Lower-triangular :math:`L` with :math:`B = L L^\top`.
    noise : ndarray of shape (T,)
        Variances :math:`\sigma_t^2`.

    Notes
    -----
    The unknowns besides the kernel are the logarithms of the diagonal of ``root``, its entries
    below, and the logarithms of the noise.
    """

    name: ClassVar[str] = "exact, coregionalized"
    root: Any
    noise: Any

    @classmethod
    def guess(cls, Y: Floats) -> Coregionalized:
        """Start from the correlations of scaled targets over the rows that have both."""
        known = ~np.isnan(Y)
        filled = np.where(known, Y, 0.0)
        counts = np.maximum(known.T.astype(float) @ known, 1.0)
        values, vectors = np.linalg.eigh(filled.T @ filled / counts)
        between = vectors * np.maximum(values, 0.0) @ vectors.T
        T = Y.shape[1]
        return cls(np.linalg.cholesky(0.8 * between + 0.1 * np.eye(T)), np.full(T, 0.1))

    @property
    def between(self) -> Floats:
        """The matrix :math:`B`."""
        return np.asarray(self.root @ self.root.T)

    def extra(self) -> Floats:
        """Unknowns of the covariance between targets and of the noise."""
        below = np.tril_indices(len(self.root), -1)
        parts = (np.log(np.diagonal(self.root)), self.root[below], np.log(self.noise))
        return np.concatenate(parts)

    def with_extra(self, extra: Floats) -> Coregionalized:
        """The same with other unknowns."""
        T = len(self.root)
        root = np.diag(np.exp(extra[:T]))
        root[np.tril_indices(T, -1)] = extra[T:-T]
        return replace(self, root=root, noise=np.exp(extra[-T:]))

    def bounds(self) -> Floats:
        """Lowest and highest unknowns, for targets of variance one."""
        T = len(self.root)
        below = T * (T - 1) // 2
        low = [[-8.0, 4.0]] * T + [[-100.0, 100.0]] * below + [[-10.0, 5.0]] * T
        return np.array(low)

    def solve(self, K: Floats, seen: Measurements, what: Any) -> Solved:
        """Everything that follows from the covariance of all measurements."""
        C = K[np.ix_(seen.rows, seen.rows)] * self.between[np.ix_(seen.targets, seen.targets)]
        C.flat[:: seen.n + 1] += self.noise[seen.targets]
        cov, H = kernel_cholesky(C, what), seen.levels
        half = cov.half_solve(H)
        basis = kernel_cholesky(half.T @ half, "the levels of the targets")
        spread = basis.half_solve(cov.half_solve(half, transpose=True).T).T
        alpha = cov.solve(seen.values)
        alpha = alpha - spread @ (spread.T @ seen.values)
        coefficients = basis.solve(half.T @ cov.half_solve(seen.values))
        value = seen.values @ alpha + cov.log_det + basis.log_det
        value = -0.5 * (value + (seen.n - H.shape[1]) * _LOG_2PI)
        return Solved(cov, basis, half, spread, alpha, coefficients, float(value))

    def evaluate(self, kernel: Any, seen: Measurements, *, gradient: bool = True) -> Evaluation:
        """Log marginal likelihood and its gradient, in the kernel's unknowns first."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        solved = self.solve(K, seen, kernel)
        if not gradient:
            return Evaluation(solved.value, np.empty(0))
        inverse, _ = lapack.dpotri(solved.cov.lower, lower=1, overwrite_c=1)
        weight = np.outer(solved.alpha, solved.alpha) + solved.spread @ solved.spread.T
        weight = 0.5 * (weight - mirrored(inverse))
        T, B = seen.n_targets, self.between
        on_kernel, on_between = np.zeros(K.shape), np.zeros((T, T))
        ends = np.searchsorted(seen.targets, np.arange(T + 1))
        for s in range(T):
            for t in range(T):
                block = weight[ends[s] : ends[s + 1], ends[t] : ends[t + 1]]
                where = np.ix_(seen.rows[ends[s] : ends[s + 1]], seen.rows[ends[t] : ends[t + 1]])
                on_kernel[where] += B[s, t] * block
                on_between[s, t] = np.vdot(block, K[where])
        on_root = (on_between + on_between.T) @ self.root
        diagonal = np.diagonal(weight)
        on_noise = np.array([diagonal[ends[t] : ends[t + 1]].sum() for t in range(T)])
        parts = (
            kernel.gradient_product(seen.X, on_kernel),
            np.diagonal(on_root) * np.diagonal(self.root),
            on_root[np.tril_indices(T, -1)],
            on_noise * self.noise,
        )
        return Evaluation(solved.value, np.concatenate(parts))

    def condition(self, kernel: Any, seen: Measurements) -> CoregionalizedPosterior:
        """Posterior given the measurements."""
        K = np.ascontiguousarray(kernel(seen.X), dtype=np.float64)
        return CoregionalizedPosterior(seen, self.between, self.solve(K, seen, kernel))


@dataclass(frozen=True, eq=False)
class CoregionalizedPosterior:
    """All targets given the measurements."""

    seen: Measurements
    between: Floats
    solved: Solved

    @property
    def repairs(self) -> tuple[str, ...]:
        """Jitter that the covariance of the measurements needed."""
        return tuple(filter(None, (self.solved.cov.repair,)))

    def predict(self, kernel: Any, X: Any, diag: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of every target's function, both of shape (m, T)."""
        cross = np.asarray(kernel(X, self.seen.X), dtype=np.float64)[:, self.seen.rows]
        solved, level = self.solved, self.seen.height
        mean, var = [], []
        for t in range(self.seen.n_targets):
            part = cross * self.between[t, self.seen.targets]
            half = solved.cov.half_solve(np.ascontiguousarray(part.T))
            rest = -solved.half.T @ half
            rest[t] += level[t]
            open_part = solved.basis.half_solve(rest)
            # The same sum whatever the other rows, unlike that of BLAS.
            known = np.einsum("ij,j->i", part, solved.alpha)
            mean.append(known + level[t] * solved.coefficients[t])
            explained = np.einsum("ij,ij->j", half, half)
            unknown = np.einsum("ij,ij->j", open_part, open_part)
            var.append(diag * self.between[t, t] - explained + unknown)
        return np.stack(mean, axis=1), np.maximum(np.stack(var, axis=1), 0.0)
