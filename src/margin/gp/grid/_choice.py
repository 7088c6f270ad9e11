"""Whether the rows are a grid and the kernel a product on it, so that structure pays."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core import check
from margin.gp._capacity import EXACT_ROWS, fits
from margin.gp._inputs import Precomputed
from margin.gp.grid._conjugate import GridConjugate
from margin.gp.grid._kernel import GridKernel, grid_kernel
from margin.gp.grid._layout import Layout, layout
from margin.gp.grid._process import GridProcess
from margin.gp.grid._toeplitz import long_axis
from margin.gp.solvers._interface import Observations, Solver
from margin.gp.solvers._matern_parts import is_matern

GRID_ROWS = 256
LINE_ROWS = 100_000
GAPS = 256
_SHORT = 4


def on_grid(owner: str, method: str, kernel: Any, seen: Observations) -> Solver | None:
    """The solver of a grid, with the reason for it; None where another one suits better.

    Asked for by name it is given, or refused with what is in the way, in the name of the owner.
    """
    asked = method == "grid"
    if not asked and (method != "auto" or seen.n <= GRID_ROWS):
        return None
    table = isinstance(seen.X, np.ndarray) and not isinstance(kernel, Precomputed)
    if not table:
        if asked:
            raise check.fail(owner, "method", "another than 'grid' unless X is a table", "grid")
        return None
    try:
        parts = grid_kernel(kernel, seen.X.shape[1])
    except ValueError:
        if asked:
            raise
        return None
    line = len(parts.groups) == 1
    if not asked and line and not (EXACT_ROWS < seen.n <= LINE_ROWS and not is_matern(kernel)):
        return None
    cells = layout(parts.groups, seen.X, complete=line)
    if cells is None:
        if asked:
            raise _no_grid(owner, parts)
        return None
    equal = not np.ptp(seen.noise)
    if asked:
        return _asked(owner, parts, cells, equal)
    return _wins(parts, cells, seen.n) if equal else None


def _wins(parts: GridKernel, cells: Layout, n: int) -> Solver | None:
    """Where the work along every axis is small and few cells are empty, nothing is cheaper."""
    if len(cells.missing) > min(GAPS, n // 8):
        return None
    if long_axis(parts, cells) is None and _SHORT * max(cells.shape) > n:
        return None
    if len(cells.shape) == 1:
        return GridProcess(cells, reason=f"grid: {cells} regular points on a line, exact")
    return GridProcess(cells, reason=f"grid: {cells} cells and a product kernel, exact")


def _asked(owner: str, parts: GridKernel, cells: Layout, equal: bool) -> Solver:
    if equal and len(cells.missing) <= GAPS:
        if long_axis(parts, cells) is None:
            fits(owner, max(cells.shape), "use method='cg', 'variational' or 'fitc'")
        return GridProcess(cells)
    fits(owner, max(cells.shape), "use method='cg', 'variational' or 'fitc'")
    why = f"{len(cells.missing)} empty cells" if equal else "noise that differs from row to row"
    return GridConjugate(cells, reason=f"grid: by conjugate gradients, for {why}")


def _no_grid(owner: str, parts: GridKernel) -> ValueError:
    axes = " and ".join(f"columns {g}" if len(g) > 1 else f"column {g[0]}" for g in parts.groups)
    need = f"a grid of {axes}, every cell at most once and a quarter of them at least once"
    return check.fail(owner, "X", f"{need} for method='grid'", "other rows")
