"""Counts of corrections, by which kernel perceptron and Pegasos learn."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array, Floats, Indices, Places
from margin.kernels import Kernel
from margin.native.duals.kernel_counts import count_steps
from margin.optim import Gram, GramMatrix

# Visits between two looks at the whole of a kernel matrix that does not fit in memory.
LEAST, MOST = 32, 512


@dataclass(frozen=True, eq=False)
class CountingProblem:
    """What the machines are to learn.

    Parameters
    ----------
    X : table, kernel matrix or list
    kernel : Kernel or None
    gram : Gram
        Kernel matrix, whole or by rows.
    codes : ndarray of int
    signs : ndarray of shape (machines, n)
        +1 for the own class of a machine, -1 for the others.
    shares : ndarray
        Share of every row in the mean loss.
    orders : iterator of ndarray
        Rows to visit, epoch after epoch.
    """

    X: Any
    kernel: Kernel | None
    gram: Gram
    codes: Indices
    signs: Floats
    shares: Floats
    orders: Iterator[Indices]


class Corrections:
    """Counts of the corrections, and the sums of signed kernel rows that they stand for."""

    def __init__(
        self, problem: CountingProblem, *, average: bool = False, block: int | None = None
    ) -> None:
        self.problem, shape = problem, problem.signs.shape
        self.counts, self.values = np.zeros(shape), np.zeros(shape)
        self.late: Floats | None = np.zeros(shape) if average else None
        self.t = 0
        self._block = block
        self._whole = block is None and isinstance(problem.gram, GramMatrix)
        self._rows = problem.gram.columns(None)

    def visit(self, order: Indices, machines: Places, slope: float = 0.0) -> None:
        """Visit rows once for the chosen machines; the loop is compiled."""
        gram = self.problem.gram
        if self._whole and isinstance(gram, GramMatrix):
            state = (self.values, self.counts)
            self._steps(gram.matrix, order, machines, slope, state, self.late)
            return
        n = gram.n
        size = self._block or int(np.clip(2e7 // n, LEAST, MOST))
        for at in range(0, len(order), size):
            self._visit_block(order[at : at + size], machines, slope)

    def _visit_block(self, order: Indices, machines: Places, slope: float) -> None:
        """Steps within the matrix of the rows to visit; then all values at once."""
        rows, places = np.unique(order, return_inverse=True)
        matrix = np.ascontiguousarray(self.problem.gram.columns(rows)(rows))
        state = (
            np.ascontiguousarray(self.values[:, rows]),
            np.zeros((len(self.counts), len(rows))),
        )
        late = None if self.late is None else np.zeros_like(state[1])
        self._steps(matrix, places, machines, slope, state, late, rows)
        added = state[1]
        changed = np.flatnonzero(added.any(axis=0))
        if len(changed):
            signed = added[:, changed] * self.problem.signs[:, rows[changed]]
            self.values += signed @ self._rows(rows[changed])
        self.counts[:, rows] += added
        if self.late is not None and late is not None:
            self.late[:, rows] += late

    def _steps(
        self,
        matrix: Array,
        order: Indices,
        machines: Places,
        slope: float,
        state: tuple[Floats, Floats],
        late: Floats | None,
        rows: Indices | None = None,
    ) -> None:
        codes = self.problem.codes if rows is None else self.problem.codes[rows]
        elapsed = self.t
        count_steps(matrix, order, codes, machines, *state, slope=slope, elapsed=elapsed, late=late)
        self.t += len(order)

    def products(self, coef: Floats) -> Floats:
        """Kernel matrix times signed coefficients of shape (machines, n), most of them zero."""
        rows, total = np.flatnonzero(coef.any(axis=0)), np.zeros(coef.shape)
        for at in range(0, len(rows), MOST):
            part = rows[at : at + MOST]
            total += coef[:, part] @ self._rows(part)
        return total
