"""One axis of a regular grid: prefilter and taps of a stationary kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import matmul_toeplitz, solve_toeplitz

from margin.core import FitError
from margin.core.types import Array, Floats, Places
from margin.linalg import recursive_filter

Integers = Places

_ZERO = 1e-14
_SOLVED = 1e-6


@dataclass(frozen=True, eq=False)
class GridAxis:
    r"""Nodes :math:`x_i = o + i h` with a kernel :math:`k(x - x_i)` at each (gp.11).

    Parameters
    ----------
    n : int
        Number of nodes.
    origin, spacing : float
        First node and distance of neighbours.
    kernel : Kernel
        A stationary kernel of one column.
    half_width : float
        Beyond this distance the kernel is zero; infinity where it never is.
    boundary : {"zero", "mirror", "periodic"}
        What the coefficients do outside.
    """

    n: int
    origin: float
    spacing: float
    kernel: Any
    half_width: float
    boundary: str

    def values(self, distance: Array) -> Floats:
        """Kernel at signed distances, of any shape."""
        flat = np.ascontiguousarray(distance, dtype=np.float64).reshape(-1, 1)
        return np.asarray(self.kernel(np.zeros((1, 1)), flat)[0]).reshape(distance.shape)

    @cached_property
    def reach(self) -> int:
        """How many nodes on each side of a point can have weight."""
        if not np.isfinite(self.half_width):
            return self.n
        return int(np.ceil(self.half_width / self.spacing - 1e-9))

    def prefilter(self, Y: Floats) -> Floats:
        r"""Coefficients :math:`\tilde Y = K^{-1} Y` along the first axis (gp.10).

        Nothing to do where the kernel is zero at all other nodes; a pair of recursive filters
        where only the neighbours have weight; otherwise a Toeplitz system.
        """
        steps = np.arange(self.n if self.boundary == "zero" else max(self.n, self.reach + 1))
        row = self.values(self.spacing * steps)
        off = np.abs(row[1:])
        if not np.any(off > _ZERO * row[0]):
            return np.asarray(Y / row[0])
        # One node is its own neighbour on both sides, which the filters do not know.
        if self.n > 1 and not np.any(off[1:] > _ZERO * row[0]) and row[0] > 2 * off[0]:
            return recursive_filter(Y, float(row[0]), float(row[1]), self.boundary)  # type: ignore[arg-type]
        return self._solved(row, Y.reshape(self.n, -1)).reshape(Y.shape)

    def _solved(self, row: Floats, Y: Floats) -> Floats:
        """Solution of the system at hand, refused where it does not solve it."""
        with np.errstate(all="ignore"):
            try:
                if self.boundary == "zero":
                    solution = solve_toeplitz(row, Y)
                    again = matmul_toeplitz(row, solution)
                else:
                    matrix = self.folded()
                    solution = np.linalg.solve(matrix, Y)
                    again = matrix @ solution
            except np.linalg.LinAlgError:
                solution, again = Y, np.full_like(Y, np.inf)
        size = float(np.abs(Y).max(initial=0.0))
        if not np.abs(again - Y).max(initial=0.0) <= _SOLVED * size:
            raise FitError(
                f"GridInterpolator: matrix of {self.kernel} on {self.n} nodes of spacing "
                f"{self.spacing:g} must be regular to working precision; use a shorter length scale"
            )
        return np.asarray(solution)

    def folded(self) -> Floats:
        """The matrix of the kernel at the nodes, with the coefficients outside folded back."""
        index, weight = self.taps(self.origin + self.spacing * np.arange(self.n))
        matrix = np.zeros((self.n, self.n))
        np.add.at(matrix, (np.arange(self.n)[:, None], index), weight)
        return matrix

    def taps(self, x: Array) -> tuple[Integers, Floats]:
        """Nodes that matter at each point and their weights, both of shape (m, taps).

        Nodes outside are folded back, or keep the weight zero.
        """
        position = (np.asarray(x, dtype=np.float64) - self.origin) / self.spacing
        if not np.isfinite(self.half_width):
            index = np.broadcast_to(np.arange(self.n), (len(position), self.n))
            return index, self.values(self.spacing * (position[:, None] - index))
        base = np.floor(position)
        offsets = np.arange(1 - self.reach, self.reach + 1)
        weight = self.values(self.spacing * ((position - base)[:, None] - offsets))
        index = base[:, None].astype(np.intp) + offsets
        inside = (index >= 0) & (index < self.n)
        if self.boundary == "zero":
            return np.where(inside, index, 0), np.where(inside, weight, 0.0)
        return self._fold(index), weight

    def _fold(self, index: Integers) -> Integers:
        if self.boundary == "periodic" or self.n == 1:
            return np.asarray(index % self.n)
        period = 2 * (self.n - 1)
        back = index % period
        return np.asarray(np.minimum(back, period - back))

    def matrix(self, x: Floats) -> Floats:
        """Kernel between points and nodes, folded, of shape (m, n)."""
        index, weight = self.taps(x)
        matrix = np.zeros((len(index), self.n))
        np.add.at(matrix, (np.arange(len(index))[:, None], index), weight)
        return matrix

    def explained(self, x: Floats) -> Floats:
        r"""How much of the variance the nodes explain: :math:`k(x)^\top K^{-1} k(x)` (gp.08)."""
        rows = self.matrix(x)
        return np.asarray(np.einsum("ij,ji->i", rows, self.prefilter(rows.T)))
