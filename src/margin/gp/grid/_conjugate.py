"""Grids with many empty cells or different noise, by conjugate gradients."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.gp.grid._kernel import GridKernel, grid_kernel
from margin.gp.grid._layout import Layout, unfolded
from margin.gp.solvers._conjugate import ConjugateGradients, KernelSystem
from margin.gp.solvers._interface import Evaluation, Observations, Solver
from margin.gp.solvers._iterative import evaluate
from margin.gp.solvers._iterative_posterior import IterativePosterior
from margin.linalg import kronecker_product


@dataclass(frozen=True)
class GridConjugate(Solver):
    r"""Conjugate gradients with products along the axes: :math:`O(N \sum_j m_j)` each (gp.11).

    What is neither a full grid nor one with few gaps, or has its own noise in every row, has no
    basis in which its covariance is diagonal, but products with it are as cheap as on a full grid.
    Mean and variance are exact up to a tolerance, the marginal likelihood has the standard error of
    its probes.

    Parameters
    ----------
    layout : Layout
        Which row is which cell.
    inner : ConjugateGradients, optional
        Rows of the preconditioner; chosen by :meth:`at`.
    """

    name: ClassVar[str] = "grid"
    layout: Layout
    inner: Any = None

    def at(self, kernel: Any, seen: Observations) -> GridConjugate:
        """With a preconditioner for a kernel."""
        return replace(self, inner=ConjugateGradients.of(kernel, seen))

    def resolution(self, n: int) -> float:
        return float(self.inner.resolution(n))

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        system = GridSystem.on(self.layout, self.inner, kernel, seen)
        return evaluate(system, seen, gradient=gradient)

    def condition(self, kernel: Any, seen: Observations) -> IterativePosterior:
        fresh = GridSystem.on(self.layout, ConjugateGradients.of(kernel, seen), kernel, seen)
        return IterativePosterior.of(fresh, seen)


@dataclass(frozen=True, eq=False)
class GridSystem(KernelSystem):
    """The covariance of the rows of a grid; its products go along the axes.

    Parameters
    ----------
    layout : Layout
    product : GridKernel
        The kernel as a product.
    matrices : tuple of ndarray
        Matrix of every axis.
    """

    layout: Layout
    product: GridKernel
    matrices: tuple[Floats, ...]

    @classmethod
    def on(
        cls, layout: Layout, solver: ConjugateGradients, kernel: Any, seen: Observations
    ) -> GridSystem:
        """The system at one kernel."""
        dense = KernelSystem.of(solver, kernel, seen)
        product = grid_kernel(kernel, seen.X.shape[1])
        pairs = zip(product.axes, layout.points, strict=True)
        matrices = tuple(np.asarray(axis.kernel(x), dtype=np.float64) for axis, x in pairs)
        given = {item.name: getattr(dense, item.name) for item in fields(dense)}
        return cls(**given, layout=layout, product=product, matrices=matrices)

    @property
    def about(self) -> tuple[str, ...]:
        rank, gaps = self.rough.features.shape[1], len(self.layout.missing)
        return (f"grid of {self.layout} cells, {gaps} empty, preconditioner of rank {rank}",)

    def apply(self, V: Floats) -> Floats:
        image = kronecker_product(self.matrices, self.layout.on_grid(V))[self.layout.cell]
        return self.product.factor * image + self.noise[:, None] * V

    def slopes(self, left: Floats, right: Floats) -> Floats:
        shape = self.layout.shape
        rows, columns = self.layout.on_grid(left), self.layout.on_grid(right)
        theta = np.zeros(len(self.parts.latent.theta))
        image = self.product.factor * kronecker_product(self.matrices, columns)
        theta[self.product.factor_at] = float(np.einsum("ij,ij->", rows, image))
        for j, axis in enumerate(self.product.axes):
            if not (axis.at >= 0).any():
                continue
            terms = [np.eye(len(K)) if i == j else K for i, K in enumerate(self.matrices)]
            others = self.product.factor * kronecker_product(terms, columns)
            weight = unfolded(rows, shape, j) @ unfolded(others, shape, j).T
            axis.gradient(self.layout.points[j], 0.5 * (weight + weight.T), theta)
        return theta
