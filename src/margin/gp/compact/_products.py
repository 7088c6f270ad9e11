"""Conjugate gradients with a sparse covariance and dense blocks along its diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats, Places
from margin.gp.compact._matrix import CompactMatrix, CompactSystem
from margin.gp.solvers._iterative import Preconditioned
from margin.gp.solvers._iterative_posterior import diagonal_by_columns, stochastic_diagonal
from margin.linalg import Cholesky, bisection, kernel_cholesky

_BLOCK = 128
_COLUMN_ROWS = 2000


@dataclass(frozen=True, eq=False)
class ProductSystem(CompactSystem, Preconditioned):
    """A sparse matrix by its products; the preconditioner is its blocks of neighbouring points.

    Parameters
    ----------
    matrix : CompactMatrix
    blocks : tuple of ndarray of int
        Rows of every block.
    factors : tuple of Cholesky
    block_of, place : ndarray of int
        Block of every row, and its place there.
    why : str
        Why the matrix was not factored.
    """

    blocks: tuple[Places, ...]
    factors: tuple[Cholesky, ...]
    block_of: Places
    place: Places
    why: str

    @classmethod
    def of(cls, matrix: CompactMatrix, why: str) -> ProductSystem:
        """Factor the blocks."""
        blocks = bisection(matrix.X, _BLOCK)
        block_of, place = np.empty((2, len(matrix.X)), dtype=np.intp)
        factors = []
        for b, rows in enumerate(blocks):
            block_of[rows], place[rows] = b, np.arange(len(rows))
            factors.append(kernel_cholesky(matrix.C[rows][:, rows].toarray(), matrix.kernel))
        return cls(matrix, blocks, tuple(factors), block_of, place, why)

    @property
    def about(self) -> tuple[str, ...]:
        share = self.matrix.C.nnz / self.n**2
        return (f"products with {share:.2%} of the matrix: {self.why}",)

    def apply(self, V: Floats) -> Floats:
        return np.asarray(self.matrix.C @ V)

    def precondition(self, V: Floats) -> Floats:
        solved = np.empty_like(V)
        for rows, block in zip(self.blocks, self.factors, strict=True):
            solved[rows] = block.solve(V[rows])
        return solved

    @property
    def log_det(self) -> float:
        return float(sum(block.log_det for block in self.factors))

    def colour(self, rng: np.random.Generator, count: int) -> Floats:
        draws = rng.standard_normal((self.n, count))
        for rows, block in zip(self.blocks, self.factors, strict=True):
            draws[rows] = block.lower @ draws[rows]
        return draws

    def gradient(self, exact: Floats, solved: Floats, rough: Floats, k: int) -> Floats:
        inverses = [block.solve(np.eye(len(block.lower))) for block in self.factors]
        t = rough.shape[1]

        def weight(at: slice, i: Any, j: Any) -> Floats:
            w: Floats = 0.5 * np.einsum("ij,ij->i", exact[i], exact[j])
            crossed = np.einsum("ij,ij->i", solved[i], rough[j])
            crossed += np.einsum("ij,ij->i", rough[i], solved[j])
            w -= 0.25 * k / t * crossed
            inside = np.flatnonzero(self.block_of[i] == self.block_of[j])
            a, b = i[inside], j[inside]
            own = np.empty(len(inside))
            for block, where in _groups(self.block_of[a]):
                own[where] = inverses[block][self.place[a[where]], self.place[b[where]]]
            w[inside] -= 0.5 * k * (own - np.einsum("ij,ij->i", rough[a], rough[b]) / t)
            return w

        return self.matrix.gradient(weight)

    def inverse_diagonal(self) -> Floats:
        if self.n <= _COLUMN_ROWS:
            return diagonal_by_columns(self)
        rough = np.empty(self.n)
        for rows, block in zip(self.blocks, self.factors, strict=True):
            rough[rows] = block.inverse_diagonal()
        return stochastic_diagonal(self, rough, self.matrix.noise, self.matrix.C.diagonal())


def _groups(labels: Places) -> Any:
    """Every label with the places where it is."""
    order = np.argsort(labels, kind="stable")
    names, starts = np.unique(labels[order], return_index=True)
    return zip(names, np.split(order, starts[1:]), strict=True)
