"""The covariance of the targets under a kernel of compact support, and its factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from margin.core import FitError, memory
from margin.core.types import Floats, Places
from margin.gp._noise import Split, split
from margin.gp.compact._pairs import density, pairs
from margin.gp.solvers._interface import Evaluation, Observations
from margin.gp.solvers._iterative import Projection, System
from margin.linalg import Fronts, SparseCholesky, fronts, nested_dissection

_PAIR_BYTES = 100
_CHUNK = 1 << 20


@dataclass(frozen=True, eq=False)
class CompactMatrix:
    """The covariance of the targets where it is not zero.

    Parameters
    ----------
    kernel : Kernel
    parts : Split
        The same as function and noise.
    X : ndarray of shape (n, d)
    noise : ndarray of shape (n,)
    i, j : ndarray of int
        Pairs on and above the diagonal.
    C : CSR array of shape (n, n)
    """

    kernel: Any
    parts: Split
    X: Floats
    noise: Floats
    i: Places
    j: Places
    C: Any

    @classmethod
    def of(cls, kernel: Any, seen: Observations) -> CompactMatrix:
        """Evaluate the kernel at the pairs within reach."""
        parts, X, n = split(kernel), seen.X, seen.n
        share, free = density(parts.latent, X), memory.available()
        if free is not None and _PAIR_BYTES * share * n * n > free:
            raise FitError(
                f"the matrix of {kernel} has about {share:.1%} of {n} x {n} entries that are not "
                "zero, more than fit into memory; use method='cg' or a smaller support"
            )
        i, j = pairs(parts.latent, X)
        entries = np.concatenate(
            [parts.latent.at_pairs(X, X, i[at], j[at]) for at in _chunks(len(i))]
        )
        noise, off = seen.noise + parts.level, i != j
        data = np.concatenate([entries + np.where(off, 0.0, noise[i]), entries[off]])
        where = (np.concatenate([i, j[off]]), np.concatenate([j, i[off]]))
        C = sparse.csr_array((data, where), shape=(n, n))
        return cls(kernel, parts, X, noise, i, j, C)

    def plan(self) -> Fronts:
        """What a factor would hold."""
        return fronts(self.C, nested_dissection(self.X, abs(self.C)))

    def gradient(self, weight: Any) -> Floats:
        """Weighted sum of the derivatives; ``weight(i, j)`` gives the weights of pairs."""
        theta, noise = np.zeros(len(self.parts.latent.theta)), 0.0
        for at in _chunks(len(self.i)):
            i, j = self.i[at], self.j[at]
            own = i == j
            w = np.where(own, 1.0, 2.0) * weight(at, i, j)
            noise += float(w[own].sum())
            theta += [w @ d for d in self.parts.latent.pair_derivatives(self.X, i, j)]
        return self.parts.gradient(theta, noise)

    def cross(self, X: Floats) -> Any:
        """Sparse covariance of new points and the training ones."""
        latent = self.parts.latent
        i, j = pairs(latent, X, self.X)
        entries = latent.at_pairs(X, self.X, i, j)
        return sparse.csr_array((entries, (i, j)), shape=(len(X), len(self.X)))


def _chunks(n: int) -> list[slice]:
    return [slice(start, start + _CHUNK) for start in range(0, n, _CHUNK)]


@dataclass(frozen=True, eq=False)
class CompactSystem(System):
    """What the systems of a sparse matrix have in common."""

    matrix: CompactMatrix

    @property
    def kernel(self) -> Any:
        """Kernel of the process."""
        return self.matrix.kernel

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.matrix.X)

    def cross(self, kernel: Any, X: Any) -> Any:
        return self.matrix.cross(X)


@dataclass(frozen=True, eq=False)
class FactoredSystem(CompactSystem):
    """A sparse matrix with its factor: every answer is exact."""

    factor: SparseCholesky

    @property
    def about(self) -> tuple[str, ...]:
        share = self.matrix.C.nnz / self.n**2
        return (
            f"sparse Cholesky: {share:.2%} of the matrix, {self.factor.plan.fill} in the factor",
        )

    def solve(self, B: Floats, tol: Any) -> tuple[Floats, None]:
        return self.factor.solve(B), None

    def inverse_diagonal(self) -> Floats:
        return self.factor.inverse_diagonal()

    def evaluate(self, seen: Observations, *, gradient: bool) -> Evaluation:
        """Exact log marginal likelihood and gradient."""
        k = seen.Y.shape[1]
        projection = Projection.of(seen, self.factor.solve(np.hstack([seen.Y, seen.H])))
        value = projection.value(seen, self.factor.log_det)
        if not gradient:
            return Evaluation(value, np.empty(0))
        a = projection.columns(k)
        inverse = self.factor.inverse_at(self.matrix.i, self.matrix.j)

        def weight(at: slice, i: Any, j: Any) -> Floats:
            products = np.einsum("ij,ij->i", a[i], a[j])
            return np.asarray(0.5 * products - 0.5 * k * inverse[at])

        return Evaluation(value, self.matrix.gradient(weight))
