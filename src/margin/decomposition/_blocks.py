"""Tables that come in blocks of rows, read as often as a fit needs."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Blocks, check, threads
from margin.core.types import Array, Bools, Floats
from margin.distributions import Moments
from margin.linalg import scatter


@dataclass(frozen=True, eq=False)
class RowBlocks:
    """Rows with their weights, one block after the other.

    Parameters
    ----------
    source : iterable of (rows, weights or None)
        Read anew on every pass.
    """

    source: Iterable[tuple[Array, Floats | None]]

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        return iter(self.source)


def checked_blocks(
    owner: Any, blocks: Any, *, missing: bool = False, sparse: bool = False
) -> RowBlocks:
    """Blocks as a user gives them, tables or tuples of a table and weights.

    The first block says which columns there are.

    Examples
    --------
    >>> from margin.decomposition import PCA
    >>> rows = checked_blocks(PCA(), [np.ones((2, 3)), (np.zeros((1, 3)), [2.0])])
    >>> [(len(X), weight) for X, weight in rows]
    [(2, None), (1, array([2.]))]
    """
    whole = RowBlocks(_Checked(owner, Blocks.of(owner, blocks), missing, sparse))
    if not any(True for _ in whole):
        raise check.fail(owner, "blocks", "at least one block of rows", "none")
    return whole


def complete_batch(owner: Any, X: Any, *, first: bool) -> Array:
    """Rows of a batch, none with a gap: what a gap means depends on all rows.

    Examples
    --------
    >>> from margin.decomposition import ProbabilisticPCA
    >>> complete_batch(ProbabilisticPCA(), [[1.0, np.nan]], first=True)
    Traceback (most recent call last):
    ValueError: ProbabilisticPCA: X must be without NaN in partial_fit (fit and fit_blocks take \
rows with gaps), got nan
    """
    rows: Array = check.table(owner, X, missing=True, reset=first)
    if np.isnan(rows).any():
        need = "without NaN in partial_fit (fit and fit_blocks take rows with gaps)"
        raise check.fail(owner, "X", need, np.nan)
    return rows


@dataclass(frozen=True, eq=False)
class _Checked:
    owner: Any
    blocks: Blocks
    missing: bool
    sparse: bool

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        columns = 0
        for block in self.blocks:
            if len(block) not in (1, 2):
                need = "of tables X or tuples (X, sample_weight)"
                raise check.fail(self.owner, "blocks", need, f"a block of {len(block)} parts")
            rows = check.table(
                self.owner, block[0], missing=self.missing, sparse=self.sparse, reset=True
            )
            if columns and rows.shape[1] != columns:
                need = f"of {columns} features in every block"
                raise check.fail(self.owner, "blocks", need, f"{rows.shape[1]} features")
            columns = rows.shape[1]
            weight = block[1] if len(block) == 2 else None
            yield rows, check.weights(self.owner, weight, rows.shape[0], part=True)


def extent(blocks: RowBlocks) -> tuple[int, bool]:
    """The number of rows, and whether any of them has a gap.

    Examples
    --------
    >>> extent(RowBlocks([(np.ones((2, 3)), None), (np.array([[1.0, np.nan, 0.0]]), None)]))
    (3, True)
    """
    n, gaps = 0, False
    for rows, _ in blocks:
        n, gaps = n + len(rows), gaps or bool(np.isnan(rows).any())
    return n, gaps


def scaled(blocks: RowBlocks, scale: float) -> RowBlocks:
    """Rows in units of a scale."""
    return RowBlocks(_Mapped(blocks, lambda rows, weight: (rows / scale, weight)))


def some(blocks: RowBlocks, columns: Bools) -> RowBlocks:
    """Some of the columns of every row."""
    return RowBlocks(_Mapped(blocks, lambda rows, weight: (rows[:, columns], weight)))


@dataclass(frozen=True, eq=False)
class _Mapped:
    blocks: RowBlocks
    change: Callable[[Array, Floats | None], tuple[Array, Floats | None]]

    def __iter__(self) -> Iterator[tuple[Array, Floats | None]]:
        for rows, weight in self.blocks:
            yield self.change(rows, weight)


def moments(X: Array, weight: Floats | None = None) -> Moments:
    """Weight, mean and scatter of complete rows, from one read of them.

    Examples
    --------
    >>> moments(np.array([[1.0], [2.0], [6.0]]))
    Moments(weight=3.0, mean=array([3.]), scatter=array([[14.]]))
    """
    if weight is not None and not weight.any():
        return Moments.zero(X.shape[1])
    nothing = np.empty((len(X), 0))
    scattered = scatter(X, nothing, weight, threads.count())
    total = float(len(X)) if weight is None else float(weight.sum())
    return Moments(total, scattered.mean, scattered.gram)


def block_moments(blocks: RowBlocks) -> tuple[Moments, int]:
    """The statistics of all blocks, added up, and the number of rows."""
    total, n_rows = None, 0
    for rows, weight in blocks:
        part = moments(rows, weight)
        total, n_rows = part if total is None else total + part, n_rows + len(rows)
    assert total is not None
    return total, n_rows
