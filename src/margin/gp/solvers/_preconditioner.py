"""Low rank plus noise: a preconditioner of the covariance of the targets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.linalg import Cholesky, Woodbury, kernel_cholesky, woodbury

NUGGET = 1e-8
_ROWS = 8192


@dataclass(frozen=True, eq=False)
class LowRank:
    r"""The matrix :math:`M = K_{fu} K_{uu}^{-1} K_{uf} + D` for some of the rows ``u``.

    With the rows of a pivoted Cholesky factorisation the first term is that factorisation, cut off
    at its rank: it holds the large eigenvalues of the kernel matrix, and conjugate gradients have
    to deal with the small ones only. The rows stay while hyper-parameters change, so that ``M`` is
    a smooth function of them, with a derivative.

    Parameters
    ----------
    kernel : Kernel
        Without white noise.
    X, Z : objects
        All rows, and those of the factorisation.
    D : ndarray of shape (n,)
        Noise, above 0.
    outer : Cholesky
        Factor of :math:`K_{uu}`, with a nugget.
    inverse : Woodbury
    """

    kernel: Any
    X: Any
    Z: Any
    D: Floats
    outer: Cholesky
    features: Floats
    inverse: Woodbury

    @classmethod
    def of(cls, kernel: Any, X: Any, Z: Any, D: Floats) -> LowRank:
        """Factor what is small."""
        Kuu = np.ascontiguousarray(kernel(Z), dtype=np.float64)
        Kuu.flat[:: len(Kuu) + 1] += NUGGET * float(np.mean(np.diagonal(Kuu)))
        outer = kernel_cholesky(Kuu, f"{kernel} at the rows of the preconditioner")
        cross = np.ascontiguousarray(kernel(X, Z), dtype=np.float64)
        features = outer.half_solve(cross.T).T
        return cls(kernel, X, Z, D, outer, features, woodbury(D, features))

    def solve(self, V: Floats) -> Floats:
        r""":math:`M^{-1} V`."""
        return self.inverse.solve(V)

    @property
    def log_det(self) -> float:
        r""":math:`\log\det M`."""
        return self.inverse.log_det

    def colour(self, rng: np.random.Generator, count: int) -> Floats:
        """Draws from :math:`N(0, M)`; the numbers drawn do not depend on the kernel."""
        own = rng.standard_normal((len(self.D), count))
        shared = rng.standard_normal((self.features.shape[1], count))
        return np.asarray(np.sqrt(self.D)[:, None] * own + self.features @ shared)

    @cached_property
    def inverse_diagonal(self) -> Floats:
        r"""Diagonal of :math:`M^{-1}`."""
        root = self.inverse.small.half_solve(self.inverse.half.T)
        return np.asarray((1.0 - np.einsum("ij,ij->j", root, root)) / self.D)

    def gradient(self, columns: Floats, scale: float) -> tuple[Floats, float]:
        r"""Weighted derivatives with :math:`G = M^{-1} - c \sum_j w_j w_j^\top`.

        With :math:`A = K_{uu}^{-1} K_{uf}` the weights of :math:`K_{uf}` are :math:`2 A G` and
        those of :math:`K_{uu}` are :math:`-A G A^\top`.

        Parameters
        ----------
        columns : ndarray of shape (n, t)
            Vectors :math:`w`.
        scale : float
            Factor ``c``.

        Returns
        -------
        theta : ndarray
            :math:`\sum_{ij} G_{ij} \partial Q_{ij}`, in the hyper-parameters of the kernel.
        noise : float
            Trace of ``G``, the derivative in a noise common to all rows.
        """
        A = self.outer.half_solve(self.features.T, transpose=True)
        weight = self.inverse.solve(np.ascontiguousarray(A.T)).T - scale * (A @ columns) @ columns.T
        theta: Floats = np.zeros(len(self.kernel.theta))
        for start in range(0, len(self.D), _ROWS):
            part = slice(start, start + _ROWS)
            theta += self.kernel.cross_gradient(self.Z, self.X[part], 2.0 * weight[:, part])[0]
        core = -weight @ A.T
        core = 0.5 * (core + core.T)
        core.flat[:: len(core) + 1] += NUGGET * np.trace(core) / len(core)
        theta = theta + self.kernel.gradient_product(self.Z, core)
        own = self.inverse_diagonal - scale * np.einsum("ij,ij->i", columns, columns)
        return theta, float(own.sum())
