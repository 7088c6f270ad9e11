"""Exact Gaussian process on a Cartesian grid with a product kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats, Places
from margin.gp.grid._kernel import grid_kernel
from margin.gp.grid._layout import Layout
from margin.gp.grid._spectrum import GridCovariance, GridSpectrum
from margin.gp.grid._toeplitz import GridToeplitz, long_axis
from margin.gp.solvers._interface import Evaluation, Held, Observations, Posterior, Solver
from margin.linalg import Cholesky, kernel_cholesky, kronecker_columns, kronecker_rows

_LOG_2PI = float(np.log(2 * np.pi))
_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class _Solved:
    r"""As in the dense solver, in the basis of the covariance, for all cells.

    ``alpha`` is :math:`P y` and ``spread`` is :math:`F` with :math:`P = C^{-1} - F F^\top`;
    ``held`` is :math:`C^{-1} H`.
    """

    cov: GridCovariance
    basis: Cholesky | None
    alpha: Floats
    spread: Floats
    held: Floats
    coefficients: Floats
    value: float


def _solve(kernel: Any, seen: Observations, layout: Layout) -> _Solved:
    r"""Log marginal likelihood with the coefficients of the mean integrated out.

    A cell without a row is a cell whose target has an unknown offset under a flat prior: an
    indicator among the functions of the mean. The restricted likelihood is then that of the rows,
    :math:`\log\det C + \log\det\, (C^{-1})_{MM}` being the log determinant without cells :math:`M`.
    """
    k, rank = seen.Y.shape[1], seen.H.shape[1]
    parts = grid_kernel(kernel, seen.X.shape[1])
    cov = covariance(parts, layout, float(seen.noise[0]) + parts.parts.level)
    gaps = np.zeros((layout.size, len(layout.missing)))
    gaps[layout.missing, np.arange(gaps.shape[1])] = 1.0
    rotated = cov.rotate(np.hstack([layout.on_grid(np.hstack([seen.Y, seen.H])), gaps]))
    solved = cov.solve(rotated)
    Y, H, alpha, held = rotated[:, :k], rotated[:, k:], solved[:, :k], solved[:, k:]
    value = -0.5 * k * (cov.log_det + (seen.n - rank) * _LOG_2PI)
    basis, coefficients, spread = None, np.empty((0, k)), held
    if H.shape[1]:
        gram = H.T @ held
        basis = kernel_cholesky(0.5 * (gram + gram.T), "the mean")
        spread = basis.half_solve(held.T).T
        coefficients = basis.solve(H.T @ alpha)
        alpha = alpha - held @ coefficients
        value -= 0.5 * k * basis.log_det
    value -= 0.5 * float(np.einsum("ij,ij->", Y, alpha))
    return _Solved(cov, basis, alpha, spread, held, coefficients, value)


def covariance(kernel: Any, layout: Layout, shift: float) -> GridCovariance:
    """The covariance of all cells in the basis that suits it."""
    axis = long_axis(kernel, layout)
    if axis is None:
        return GridSpectrum.of(kernel, layout, shift)
    return GridToeplitz.of(kernel, layout, shift, axis)


@dataclass(frozen=True)
class GridProcess(Solver):
    r"""Tensor products along the axes of a grid: exact, :math:`O(N \sum_j m_j)` (gp.11).

    The kernel is a product over groups of columns, the rows are the cells of a grid, the noise is
    the same everywhere. ``g`` cells without a row cost :math:`O(N g^2)`.

    Parameters
    ----------
    layout : Layout
        Which row is which cell.
    """

    name: ClassVar[str] = "grid"
    layout: Layout

    def evaluate(self, kernel: Any, seen: Observations, *, gradient: bool = True) -> Evaluation:
        solved = _solve(kernel, seen, self.layout)
        if not gradient or not len(kernel.theta):
            return Evaluation(solved.value, np.zeros(len(kernel.theta)))
        k = seen.Y.shape[1]
        columns = np.hstack([solved.alpha, np.sqrt(k) * solved.spread])
        latent, noise = solved.cov.slopes(columns, k)
        return Evaluation(solved.value, solved.cov.kernel.parts.gradient(latent, noise))

    def condition(self, kernel: Any, seen: Observations) -> GridPosterior:
        return GridPosterior(seen, self.layout, _solve(kernel, seen, self.layout))


@dataclass(frozen=True, eq=False)
class GridPosterior(Posterior):
    """The process given the cells: products along the axes for mean and variance alike."""

    whole: ClassVar[bool] = True

    seen: Observations
    layout: Layout
    solved: _Solved

    @property
    def repairs(self) -> tuple[str, ...]:
        """Jitter that the covariance of the cells needed."""
        return tuple(filter(None, (self.solved.cov.repair,)))

    @property
    def coefficients(self) -> Floats:
        """Of the mean, without those of cells that have no row."""
        return self.solved.coefficients[: self.seen.H.shape[1]]

    def _crosses(self, X: Floats) -> tuple[list[Floats], list[Places]]:
        """Kernel between the different coordinates of new rows and the axes, turned."""
        crosses, index = [], []
        cov = self.solved.cov
        for j, axis in enumerate(cov.kernel.axes):
            table = np.ascontiguousarray(X[:, list(axis.columns)], dtype=np.float64)
            points, where = np.unique(table, axis=0, return_inverse=True)
            cross = np.asarray(axis.kernel(points, self.layout.points[j]), dtype=np.float64)
            crosses.append(cov.turn(j, cross))
            index.append(where.ravel())
        return crosses, index

    def predict(self, kernel: Any, X: Any, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        step = max(1, _BLOCK // max(self.layout.shape))
        blocks = [slice(start, start + step) for start in range(0, max(len(X), 1), step)]
        pieces = [self._block(X[b], H[b], None if diag is None else diag[b]) for b in blocks]
        mean = np.concatenate([piece[0] for piece in pieces])
        return mean, None if diag is None else np.concatenate([piece[1] for piece in pieces])

    def _block(self, X: Floats, H: Floats, diag: Floats | None) -> tuple[Floats, Any]:
        crosses, index = self._crosses(X)
        k, scale = self.seen.Y.shape[1], self.solved.cov.kernel.factor
        both = (
            self.solved.alpha if diag is None else np.hstack([self.solved.alpha, self.solved.held])
        )
        product = scale * kronecker_rows(crosses, index, both)
        mean = product[:, :k] + H @ self.coefficients
        if diag is None:
            return mean, None
        var = diag - self.solved.cov.explained(crosses, index)
        if self.solved.basis is not None:
            var = var + self.solved.basis.quadratic(self._rest(H, product[:, k:].T))
        return mean, np.maximum(var, 0.0)

    def _rest(self, H: Floats, known: Floats) -> Floats:
        """Functions of the mean at new rows less what the cells say of them; gaps have none."""
        rest = -known
        rest[: H.shape[1]] += H.T
        return rest

    def covariance(self, kernel: Any, X: Any, H: Floats, prior: Floats) -> Floats:
        crosses, index = self._crosses(X)
        cov, scale = self.solved.cov, self.solved.cov.kernel.factor
        columns = scale * kronecker_columns(crosses, index)
        posterior = prior.copy()
        step = max(1, _BLOCK // max(1, len(columns)))
        for start in range(0, len(X), step):
            block = slice(start, start + step)
            posterior[:, block] -= columns.T @ cov.solve(columns[:, block])
        if self.solved.basis is not None:
            half = self.solved.basis.half_solve(self._rest(H, self.solved.held.T @ columns))
            posterior += half.T @ half
        posterior = 0.5 * (posterior + posterior.T)
        np.fill_diagonal(posterior, np.maximum(np.diagonal(posterior), 0.0))
        return posterior

    def leave_one_out(self) -> Held:
        r"""Mean :math:`y_i - (Py)_i / P_{ii}` and variance :math:`1 / P_{ii}`."""
        cov, cell, k = self.solved.cov, self.layout.cell, self.seen.Y.shape[1]
        rows = cov.back(np.hstack([self.solved.alpha, self.solved.spread]))[cell]
        spread = rows[:, k:]
        precision = cov.inverse_diagonal()[cell] - np.einsum("ij,ij->i", spread, spread)
        return Held(self.seen.Y - rows[:, :k] / precision[:, None], 1.0 / precision)
