"""The covariance on a grid with one long regular axis, through Toeplitz matrices along it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.linalg import matmul_toeplitz

from margin.core.types import Floats, Places
from margin.gp.grid._kernel import AxisKernel, GridKernel, shift_invariant
from margin.gp.grid._layout import Layout, is_regular, unfolded
from margin.gp.grid._spectrum import GridCovariance
from margin.linalg import (
    ToeplitzInverse,
    eigenvalue_products,
    kronecker_columns,
    kronecker_product,
    symmetric_eigen,
    toeplitz_inverse,
)

Integers = Places

_BLOCK = 1 << 18
_LONG = 128
_RATIO = 8


def long_axis(kernel: GridKernel, layout: Layout) -> int | None:
    """The axis whose Toeplitz matrices are cheaper than its eigenvectors; None if there is none."""
    j = int(np.argmax(layout.shape))
    m = layout.shape[j]
    if m < _LONG or _RATIO * layout.size > m * m:
        return None
    return j if is_toeplitz(kernel.axes[j], layout.points[j]) else None


def is_toeplitz(axis: AxisKernel, points: Floats) -> bool:
    """Whether the points are regular and the kernel a function of their difference."""
    if points.shape[1] != 1 or not shift_invariant(axis.kernel):
        return False
    x = points[:, 0]
    return is_regular(x, np.linspace(x[0], x[-1], len(x)))


@dataclass(frozen=True, eq=False)
class GridToeplitz(GridCovariance):
    r"""Eigenvectors along all axes but one; along that one the matrices stay Toeplitz (gp.11).

    In the basis of the others :math:`C` falls apart into blocks :math:`c\lambda_a T + s I`, one for
    each combination of their eigenvalues, all Toeplitz: :math:`O(N m)` instead of :math:`O(m^3)`
    for an axis of ``m`` points, and on a line :math:`O(n^2)` time in :math:`O(n)` memory.

    Parameters
    ----------
    axis : int
        The one.
    row : ndarray of shape (m,)
        First row of its matrix :math:`T`.
    values, vectors : tuple of ndarray
        Eigenvalues and eigenvectors of the others; those of the one are ones and None.
    blocks : ToeplitzInverse
        Inverses of all blocks.
    """

    kernel: GridKernel
    layout: Layout
    axis: int
    row: Floats
    values: tuple[Floats, ...]
    vectors: tuple[Any, ...]
    blocks: ToeplitzInverse

    @classmethod
    def of(cls, kernel: GridKernel, layout: Layout, shift: float, axis: int) -> GridToeplitz:
        """Eigenvectors of the other axes, then Durbin's recursion for every block."""
        points = layout.points[axis]
        row = np.asarray(kernel.axes[axis].kernel(points[:1], points), dtype=np.float64)[0]
        values: list[Floats] = []
        vectors: list[Any] = []
        for j, part in enumerate(kernel.axes):
            if j == axis:
                values.append(np.ones(1))
                vectors.append(None)
                continue
            spectrum = symmetric_eigen(part.kernel(layout.points[j]), semidefinite=True)
            values.append(spectrum[0])
            vectors.append(spectrum[1])
        scales = kernel.factor * eigenvalue_products(values)
        rows = scales[:, None] * row
        rows[:, 0] += shift
        blocks = toeplitz_inverse(rows)
        return cls(kernel, layout, axis, row, tuple(values), tuple(vectors), blocks)

    @property
    def log_det(self) -> float:
        return float(self.blocks.log_det.sum())

    @property
    def repair(self) -> str:
        return self.blocks.repair

    def _others(self, axis: int | None = None) -> Floats:
        """``c`` times the eigenvalues of the other axes but one, for every block."""
        return self.kernel.factor * eigenvalue_products(self.values, axis)

    def _turned(self, Y: Floats, *, back: bool) -> Floats:
        terms = [np.eye(1) if Q is None else Q if back else Q.T for Q in self.vectors]
        front = self._blocked(Y)
        k, m = front.shape[1:]
        turned = kronecker_product(terms, front.reshape(-1, k * m)).reshape(front.shape)
        return self._unblocked(turned)

    def _blocked(self, Y: Floats) -> Floats:
        """Columns (N, k) as (blocks, k, m)."""
        table = np.moveaxis(Y.reshape(*self.layout.shape, -1), self.axis, -1)
        return np.ascontiguousarray(table.reshape(-1, *table.shape[-2:]))

    def _unblocked(self, blocks: Floats) -> Floats:
        shape = list(self.layout.shape)
        m = shape.pop(self.axis)
        table = np.moveaxis(blocks.reshape(*shape, -1, m), -1, self.axis)
        return np.ascontiguousarray(table.reshape(self.layout.size, -1))

    def rotate(self, Y: Floats) -> Floats:
        return self._turned(Y, back=False)

    def back(self, Y: Floats) -> Floats:
        return self._turned(Y, back=True)

    def turn(self, axis: int, cross: Floats) -> Floats:
        Q = self.vectors[axis]
        return cross if Q is None else cross @ Q

    def solve(self, Y: Floats) -> Floats:
        return self._unblocked(self.blocks.solve(self._blocked(Y)))

    def inverse_diagonal(self) -> Floats:
        squares = [np.eye(1) if Q is None else Q * Q for Q in self.vectors]
        diagonal = kronecker_product(squares, self.blocks.inverse_diagonal())
        return self._unblocked(diagonal[:, None])[:, 0]

    def explained(self, crosses: Sequence[Floats], index: Sequence[Integers]) -> Floats:
        count = len(index[0])
        explained = np.empty(count)
        step = max(1, _BLOCK // self.layout.size)
        for start in range(0, count, step):
            rows = slice(start, start + step)
            columns = kronecker_columns(crosses, [at[rows] for at in index])
            explained[rows] = self.blocks.quadratic(self._blocked(columns)).sum(axis=0)
        return self.kernel.factor**2 * explained

    def slopes(self, columns: Floats, k: int) -> tuple[Floats, float]:
        table = self._blocked(columns)
        m = table.shape[-1]
        sums = self.blocks.diagonal_sums()
        twice = np.where(np.arange(m) > 0, 2.0, 1.0)
        # Weights of the lags of T in every block: those of the columns less those of the inverse.
        lags = 0.5 * twice * (_correlated(table) - k * sums)
        scales = self._others()
        theta = np.zeros(len(self.kernel.parts.latent.theta))
        theta[self.kernel.factor_at] = float(scales @ (lags @ self.row))
        points, axis = self.layout.points[self.axis], self.kernel.axes[self.axis]
        slopes = axis.kernel.cross_gradient(points[:1], points, (scales @ lags)[None], points=False)
        axis.spread(slopes[0], theta)
        image = matmul_toeplitz(self.row, table.reshape(-1, m).T).T.reshape(table.shape)
        traces = k * sums @ (twice * self.row)
        for j, part in enumerate(self.kernel.axes):
            if j != self.axis and (part.at >= 0).any():
                self._axis_slopes(j, table, image, traces, theta)
        return theta, float(lags[:, 0].sum())

    def _axis_slopes(
        self, j: int, table: Floats, image: Floats, traces: Floats, theta: Floats
    ) -> None:
        """Derivatives along an axis in the basis of its eigenvectors."""
        shape = tuple(1 if i == self.axis else m for i, m in enumerate(self.layout.shape))
        others = self._others(j)
        inner = unfolded(table, shape, j) @ unfolded(image * others[:, None, None], shape, j).T
        inner.flat[:: len(inner) + 1] -= unfolded(others * traces, shape, j).sum(axis=1)
        Q = self.vectors[j]
        weight = Q @ inner @ Q.T
        self.kernel.axes[j].gradient(self.layout.points[j], 0.25 * (weight + weight.T), theta)


def _correlated(table: Floats) -> Floats:
    """Sums over pairs of entries at every distance, of shape (blocks, m), all columns together."""
    m = table.shape[-1]
    length = next_fast_len(2 * m - 1, real=True)
    seen = rfft(table, length, axis=-1)
    power = (seen.real**2 + seen.imag**2).sum(axis=1)
    return np.asarray(irfft(power, length, axis=-1)[:, :m])
