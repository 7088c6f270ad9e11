"""The covariance on a full grid, through the eigenvectors of its axes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats, Places
from margin.gp.grid._kernel import GridKernel
from margin.gp.grid._layout import Layout, unfolded
from margin.linalg import ShiftedKronecker, kronecker_rows, shifted_kronecker

Integers = Places


class GridCovariance(ABC):
    r"""The matrix :math:`C = c\,K_1 \otimes \dots \otimes K_d + s I` in a basis of its own.

    Columns of shape (N, k) hold values on the grid; those called rotated are in the basis, in
    which mean and variance need nothing but products along the axes.
    """

    kernel: GridKernel
    layout: Layout

    @property
    @abstractmethod
    def log_det(self) -> float:
        """Of the whole matrix."""

    @property
    @abstractmethod
    def repair(self) -> str:
        """Jitter that was needed; empty if none."""

    @abstractmethod
    def rotate(self, Y: Floats) -> Floats:
        """Into the basis."""

    @abstractmethod
    def back(self, Y: Floats) -> Floats:
        """From the basis."""

    @abstractmethod
    def turn(self, axis: int, cross: Floats) -> Floats:
        """Rows of the kernel of one axis, of shape (p, m_j), in the basis."""

    @abstractmethod
    def solve(self, Y: Floats) -> Floats:
        r""":math:`C^{-1} Y`, both rotated."""

    @abstractmethod
    def inverse_diagonal(self) -> Floats:
        r"""Diagonal of :math:`C^{-1}` on the grid."""

    @abstractmethod
    def explained(self, crosses: Sequence[Floats], index: Sequence[Integers]) -> Floats:
        r""":math:`k^\top C^{-1} k` for rows of the tensor product of the turned ``crosses``."""

    @abstractmethod
    def slopes(self, columns: Floats, k: int) -> tuple[Floats, float]:
        r""":math:`\tfrac12 [\sum_i a_i^\top \partial C\, a_i - k \operatorname{tr} C^{-1}
        \partial C]` for rotated columns :math:`a_i`, in the latent hyper-parameters and in
        :math:`s`.
        """


@dataclass(frozen=True, eq=False)
class GridSpectrum(GridCovariance):
    r"""All axes in the basis of their eigenvectors, where :math:`C` is diagonal (gp.11).

    :math:`O(\sum_j m_j^3)` once, then :math:`O(N \sum_j m_j)`.
    """

    kernel: GridKernel
    layout: Layout
    matrix: ShiftedKronecker

    @classmethod
    def of(cls, kernel: GridKernel, layout: Layout, shift: float) -> GridSpectrum:
        """Eigenvectors of every axis."""
        pairs = zip(kernel.axes, layout.points, strict=True)
        matrices = [np.asarray(axis.kernel(points), dtype=np.float64) for axis, points in pairs]
        return cls(kernel, layout, shifted_kronecker(matrices, factor=kernel.factor, shift=shift))

    @property
    def log_det(self) -> float:
        return self.matrix.log_det

    @property
    def repair(self) -> str:
        return self.matrix.repair

    def rotate(self, Y: Floats) -> Floats:
        return self.matrix.rotate(Y)

    def back(self, Y: Floats) -> Floats:
        return self.matrix.back(Y)

    def turn(self, axis: int, cross: Floats) -> Floats:
        return cross @ self.matrix.vectors[axis]

    def solve(self, Y: Floats) -> Floats:
        return Y / self.matrix.spectrum[:, None]

    def inverse_diagonal(self) -> Floats:
        return self.matrix.inverse_diagonal()

    def explained(self, crosses: Sequence[Floats], index: Sequence[Integers]) -> Floats:
        inverse = 1.0 / self.matrix.spectrum[:, None]
        explained = kronecker_rows([cross * cross for cross in crosses], index, inverse)[:, 0]
        return self.kernel.factor**2 * explained

    def slopes(self, columns: Floats, k: int) -> tuple[Floats, float]:
        squares = np.einsum("ij,ij->i", columns, columns)
        rest = 0.5 * (squares - k / self.matrix.spectrum)
        theta = np.zeros(len(self.kernel.parts.latent.theta))
        theta[self.kernel.factor_at] = float(rest @ self.matrix.others())
        for j, axis in enumerate(self.kernel.axes):
            if (axis.at >= 0).any():
                weight = self.axis_weight(j, columns, k / self.matrix.spectrum)
                axis.gradient(self.layout.points[j], weight, theta)
        return theta, float(rest.sum())

    def axis_weight(self, j: int, columns: Floats, inverse: Floats) -> Floats:
        r"""Weights of :math:`\partial K_j`: half the columns' products less the trace's."""
        others = self.matrix.others(j)
        inner = (
            unfolded(columns * others[:, None], self.layout.shape, j)
            @ unfolded(columns, self.layout.shape, j).T
        )
        trace = unfolded((others * inverse)[:, None], self.layout.shape, j).sum(axis=1)
        inner.flat[:: len(inner) + 1] -= trace
        Q = self.matrix.vectors[j]
        weight = Q @ inner @ Q.T
        return 0.25 * (weight + weight.T)
