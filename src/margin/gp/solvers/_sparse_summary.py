"""One pass over the rows of a sparse process, and the gradient by a second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from margin.core import check
from margin.gp._noise import Split, split
from margin.gp.solvers._solver import Observations
from margin.linalg import Cholesky, kernel_cholesky

Floats = NDArray[np.float64]

NUGGET = 1e-8
# NumPy and SciPy each have their own BLAS, whose threads wait busily after a call: the passes over
# the rows use SciPy's only, and few blocks, so that the compiled loops have the processors.
_ROWS = 8192
_CACHE = 1 << 30
_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(eq=False)
class Summary:
    r"""What one pass over the rows leaves: everything else is small.

    ``outer`` factors :math:`K_{uu}`, ``inner`` factors :math:`B = I + V\Lambda^{-1}V^\top` with
    :math:`V = L_u^{-1} K_{uf}`; ``rhs`` is :math:`R = [Y, H]` and ``W`` is
    :math:`B^{-1} V \Lambda^{-1} R`, so that
    :math:`(Q + \Lambda)^{-1} R = \Lambda^{-1}(R - V^\top W)`. ``mix`` combines these columns to
    :math:`[\alpha, \sqrt k F]`, as in the exact solver.
    """

    solver: Any
    parts: Split
    seen: Observations
    rhs: Floats
    outer: Cholesky
    inner: Cholesky
    W: Floats
    mix: Floats
    basis: Cholesky | None
    beta: Floats
    value: float
    cache: dict[int, tuple[slice, Floats, Floats, Floats]]

    @classmethod
    def of(cls, solver: Any, kernel: Any, seen: Observations) -> Summary:
        """One pass over the rows."""
        parts = split(kernel)
        Kuu = np.ascontiguousarray(parts.latent(solver.Z), dtype=np.float64)
        Kuu.flat[:: len(Kuu) + 1] += NUGGET * float(np.mean(np.diagonal(Kuu)))
        outer = kernel_cholesky(Kuu, f"{parts.latent} at the inducing points")
        rhs = np.hstack([seen.Y, seen.H])
        made = cls(solver, parts, seen, rhs, outer, outer, rhs, rhs, None, rhs, 0.0, {})
        made._accumulate()
        return made

    def blocks(self) -> Iterator[tuple[slice, Floats, Floats, Floats]]:
        r"""Rows, :math:`V`, :math:`\Lambda` and the variance :math:`K - Q` that is missing."""
        n = self.seen.n
        keep = 8 * n * len(self.solver.Z) <= _CACHE
        for start in range(0, n, _ROWS):
            if start not in self.cache:
                rows = slice(start, min(start + _ROWS, n))
                block = self._block(rows)
                if not keep:
                    yield rows, *block
                    continue
                self.cache[start] = (rows, *block)
            yield self.cache[start]

    def _block(self, rows: slice) -> tuple[Floats, Floats, Floats]:
        X = self.seen.X[rows]
        V = np.asfortranarray(self.parts.latent(X, self.solver.Z).T, dtype=np.float64)
        V = blas.dtrsm(1.0, self.outer.lower, V, lower=1, overwrite_b=1)
        missing = np.asarray(self.parts.latent.diag(X)) - np.einsum("ij,ij->j", V, V)
        missing = np.maximum(missing, 0.0)
        lam = self.seen.noise[rows] + self.parts.level
        return V, lam + missing if self.solver.fitc else lam, missing

    def _accumulate(self) -> None:
        m, (n, k) = len(self.solver.Z), self.seen.Y.shape
        B = np.asfortranarray(np.eye(m))
        mixed, plain = np.zeros((m, self.rhs.shape[1])), np.zeros((self.rhs.shape[1],) * 2)
        log_lam = trace = 0.0
        for rows, V, lam, missing in self.blocks():
            B = _add_products(B, V, lam)
            scaled = self.rhs[rows] / lam[:, None]
            mixed += blas.dgemm(1.0, V, scaled)
            plain += self.rhs[rows].T @ scaled
            log_lam += float(np.sum(np.log(lam)))
            trace += 0.0 if self.solver.fitc else float(np.sum(missing / lam))
        self.inner = kernel_cholesky(np.tril(B) + np.tril(B, -1).T, "the inducing points")
        self.W = self.inner.solve(mixed)
        gram = plain - mixed.T @ self.W
        rank = self.rhs.shape[1] - k
        value = -0.5 * k * ((n - rank) * _LOG_2PI + log_lam + self.inner.log_det + trace)
        self.mix = np.eye(k + rank)
        self.beta = np.empty((0, k))
        if rank:
            self.basis = kernel_cholesky(gram[k:, k:].copy(), "the mean")
            self.beta = self.basis.solve(gram[k:, :k])
            self.mix[k:, :k] = -self.beta
            self.mix[k:, k:] = np.sqrt(k) * self.basis.half_solve(np.eye(rank), transpose=True)
            value -= 0.5 * k * self.basis.log_det
        self.value = value - 0.5 * float(np.trace(gram[:k, :k] - gram[:k, k:] @ self.beta))

    def gradient(self) -> Floats:
        r"""Gradient by a second pass; every term is a weighted sum of kernel derivatives.

        :math:`S = \sum aa^\top - k(Q + \Lambda)^{-1}` weighs the covariance of the targets. The
        weights of :math:`K_{uf}` are :math:`L_u^{-\top}[w a^\top - kB^{-1}V\Lambda^{-1} + VD]`, and
        those of :math:`K_{uu}` follow from them; :math:`D` is :math:`k\Lambda^{-1}` for the
        variational bound and :math:`-\operatorname{diag} S` for FITC.
        """
        k, latent = self.seen.Y.shape[1], self.parts.latent
        w = self.W @ self.mix
        inverse = self.inner.solve(np.eye(len(w)))
        inverse = 0.5 * (inverse + inverse.T)
        plain = self.outer.half_solve(np.eye(len(w)), transpose=True)
        pull, hold = plain @ w, -k * plain @ inverse
        theta: Floats = np.zeros(len(latent.theta))
        points: Any = 0.0
        moving = self.solver.learn_points
        noise, core = 0.0, w @ w.T + k * (inverse - np.eye(len(w)))
        if not self.solver.fitc:
            core += k * (self.inner.lower @ self.inner.lower.T - np.eye(len(w)))
        for rows, V, lam, missing in self.blocks():
            X = self.seen.X[rows]
            explained = blas.dgemm(1.0, V, self.W, trans_a=True)
            a = (self.rhs[rows] - explained) / lam[:, None] @ self.mix
            S = np.einsum("ij,ij->i", a, a) - k * self._precision(V, lam, inverse)
            if self.solver.fitc:
                core -= blas.dgemm(1.0, V * S, V, trans_b=True)
                weight = blas.dgemm(1.0, hold, V / lam) - blas.dgemm(1.0, plain, V * S)
                prior, per_noise = 0.5 * S, 0.5 * S
            else:
                weight = blas.dgemm(1.0, k * plain + hold, V)
                weight /= lam
                prior, per_noise = -0.5 * k / lam, 0.5 * S + 0.5 * k * missing / lam**2
            weight = blas.dgemm(1.0, pull, a, trans_b=True, beta=1.0, c=weight, overwrite_c=1)
            noise += float(per_noise.sum())
            found = latent.cross_gradient(self.solver.Z, X, weight, points=moving)
            theta += found[0] + _diagonal_gradient(latent, X, prior)
            points = None if points is None or found[1] is None else points + found[1]
        return self._finish(theta, points, noise, core)

    def _precision(self, V: Floats, lam: Floats, inverse: Floats) -> Floats:
        r"""Diagonal of :math:`(Q + \Lambda)^{-1}`, or its mean in place of every entry.

        Under equal noise the variational bound needs its sum only, and that is a trace.
        """
        if not self.solver.fitc and np.ptp(self.seen.noise) == 0:
            explained = (len(inverse) - float(np.trace(inverse))) / self.seen.n
            return (1.0 - explained) / lam
        U = self.inner.half_solve(V)
        return np.asarray(1.0 / lam - np.einsum("ij,ij->j", U, U) / lam**2)

    def _finish(self, theta: Floats, points: Any, noise: float, core: Floats) -> Floats:
        half = self.outer.half_solve(core, transpose=True)
        G = -0.5 * self.outer.half_solve(half.T, transpose=True)
        G = 0.5 * (G + G.T)
        # The nugget grows with the mean variance of the inducing points.
        G.flat[:: len(G) + 1] += NUGGET * np.trace(G) / len(G)
        theta = theta + self.parts.latent.gradient_product(self.solver.Z, G)
        free = self.parts.gradient(theta, noise)
        if not self.solver.learn_points:
            return free
        between = self.parts.latent.cross_gradient(self.solver.Z, self.solver.Z, G)[1]
        if points is None or between is None:
            need = "False for a kernel that has no derivatives in its inputs"
            raise check.fail("Sparse Gaussian process", "learn_inducing", need, True)
        moved = points + 2.0 * between
        return np.concatenate([free, (moved * self.solver.scale).ravel()])


def _add_products(B: Floats, V: Floats, lam: Floats) -> Floats:
    r"""Lower triangle of :math:`B + V\Lambda^{-1}V^\top`, in the memory of ``B``."""
    if lam.size and np.ptp(lam) == 0:
        made = blas.dsyrk(1.0 / lam[0], V, beta=1.0, c=B, lower=1, overwrite_c=1)
    else:
        made = blas.dsyrk(1.0, V / np.sqrt(lam), beta=1.0, c=B, lower=1, overwrite_c=1)
    return np.asarray(made)


def _diagonal_gradient(kernel: Any, X: Any, weight: Floats) -> Floats:
    """Weighted sum of the derivatives of ``k(x, x)``."""
    if kernel.stationary:
        return np.asarray(kernel.gradient_product(X[:1], np.array([[weight.sum()]])))
    total = np.zeros(len(kernel.theta))
    for start in range(0, len(X), 256):
        part = weight[start : start + 256]
        total += kernel.gradient_product(X[start : start + 256], np.diag(part))
    return total
