"""A table of several blocks of rows that is multiplied block by block."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Floats
from margin.decomposition._blocks import RowBlocks
from margin.decomposition.linear._centred_table import CentredTable, centred_table
from margin.distributions import ColumnMoments


@dataclass(frozen=True, eq=False)
class StackedTable:
    r"""Rows :math:`\sqrt{w_i}\,x_i` of all blocks, read anew for every product.

    Parameters
    ----------
    blocks : RowBlocks
    shape : tuple of int
        Rows of all blocks, and columns.

    Examples
    --------
    >>> table = StackedTable(RowBlocks([(np.eye(2), None), (np.ones((1, 2)), [4.0])]), (3, 2))
    >>> table.product(np.array([[1.0], [2.0]])).ravel(), table.total()
    (array([1., 2., 6.]), 10.0)
    """

    blocks: RowBlocks
    shape: tuple[int, int]

    @property
    def mean(self) -> Floats:
        """Zeros: rows are taken as they are."""
        return np.zeros(self.shape[1])

    def _tables(self) -> Iterator[CentredTable]:
        for X, weight in self.blocks:
            yield centred_table(X, weight, centre=False)

    def product(self, B: Floats) -> Floats:
        """The table times a matrix of p rows."""
        return np.concatenate([table.product(B) for table in self._tables()])

    def transposed_product(self, B: Floats) -> Floats:
        """The transposed table times a matrix of n rows."""
        out, first = np.zeros((self.shape[1], *B.shape[1:])), 0
        for table in self._tables():
            last = first + table.shape[0]
            out += table.transposed_product(B[first:last])
            first = last
        return out

    def total(self) -> float:
        """Sum of all squares."""
        return sum(table.total() for table in self._tables())


def column_moments(X: Any, weight: Floats | None) -> ColumnMoments:
    """Moments of the columns of a block, dense or sparse.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> column_moments(csr_array([[1.0], [3.0]]), None).scatter
    array([2.])
    """
    if not issparse(X):
        return ColumnMoments.of(X, weight)
    held = np.ones(X.shape[0]) if weight is None else weight
    total = float(held.sum())
    share = total or 1.0
    mean = np.asarray(X.T @ held, dtype=np.float64).ravel() / share
    square = np.asarray(X.multiply(X).T @ held, dtype=np.float64).ravel()
    scatter = np.maximum(square - total * mean**2, 0.0)
    return ColumnMoments(np.full(len(mean), total), mean, scatter)
