"""Symmetric matrices by blocks of rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats, Indices


@runtime_checkable
class Gram(Protocol):
    """A symmetric matrix that is computed in blocks of rows."""

    @property
    def n(self) -> int:
        """Number of rows."""

    @property
    def dtype(self) -> Any:
        """Data type of the entries."""

    def columns(self, chosen: Indices | None) -> Callable[[Indices], NDArray[Any]]:
        """Function from rows to the block of these rows and the chosen columns (None: all)."""

    def take(self, chosen: Indices) -> "Gram":
        """The square part of the matrix of the chosen rows and columns."""

    def diagonal(self) -> Floats:
        """Diagonal of the matrix."""


@dataclass(frozen=True)
class GramMatrix:
    """A kernel matrix that is held in memory.

    Examples
    --------
    >>> import numpy as np
    >>> gram = GramMatrix(np.array([[2.0, 1.0], [1.0, 3.0]]))
    >>> gram.columns(np.array([1]))(np.array([0, 1]))
    array([[1.],
           [3.]])
    """

    matrix: NDArray[Any]

    @property
    def n(self) -> int:
        """Rows of the matrix."""
        return int(self.matrix.shape[0])

    @property
    def dtype(self) -> Any:
        """Data type of the matrix."""
        return self.matrix.dtype

    def columns(self, chosen: Indices | None) -> Callable[[Indices], NDArray[Any]]:
        if chosen is None:
            return lambda rows: self.matrix[rows]
        return lambda rows: self.matrix[np.ix_(rows, chosen)]

    def take(self, chosen: Indices) -> "GramMatrix":
        return GramMatrix(self.matrix[np.ix_(chosen, chosen)])

    def diagonal(self) -> Floats:
        return np.diagonal(self.matrix).astype(np.float64)
