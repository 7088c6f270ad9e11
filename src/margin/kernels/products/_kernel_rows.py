"""The kernel matrix of one set of objects, by rows or whole."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin.core.objects import count, take
from margin.core.types import Array, Floats
from margin.kernels._base import Kernel
from margin.kernels._prepared import Prepared

# Sets of so many objects are compared in double precision, and without packing.
SMALL = 512
PROBE = 64


@dataclass(frozen=True, eq=False)
class KernelRows:
    """Rows of the symmetric matrix ``kernel(X)``, computed when they are asked for (kernels.01).

    Noise of an object with itself is on the diagonal, also of a block.

    Parameters
    ----------
    kernel : Kernel
        What is evaluated.
    X : table or list
        The objects.
    dtype : data type
        Of the values.
    n_threads : int
        Threads of the evaluation.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import RBF, KernelRows, White
    >>> rows = KernelRows(RBF(1.0) + White(0.5), np.zeros((3, 1)), np.dtype(float))
    >>> rows.columns(np.array([0, 2]))(np.array([1, 2]))
    array([[1. , 1. ],
           [1. , 1.5]])
    """

    kernel: Kernel
    X: Any
    dtype: Any
    n_threads: int = 1

    @property
    def n(self) -> int:
        """Number of objects."""
        return count(self.X)

    def columns(self, chosen: Array | None) -> Callable[[Array], Array]:
        """Function from rows to the block of these rows and the chosen columns (None: all)."""
        right = self.X if chosen is None else take(self.X, chosen)
        prepared = self.kernel.prepare(right)
        place = np.full(self.n, -1)
        place[slice(None) if chosen is None else chosen] = np.arange(count(right))

        def block(rows: Array) -> Array:
            values = prepared.rows(take(self.X, rows), self.n_threads)
            values = np.ascontiguousarray(values, dtype=self.dtype)
            # White noise is there only where an object meets itself.
            own = place[rows]
            here = own >= 0
            values[here, own[here]] = self.diagonal()[rows[here]]
            return values

        return block

    def take(self, chosen: Array) -> "KernelRows":
        """The square part of the matrix of the chosen objects."""
        return KernelRows(self.kernel, take(self.X, chosen), self.dtype, self.n_threads)

    def diagonal(self) -> Floats:
        """Values of the objects with themselves."""
        return self._diagonal

    @cached_property
    def _diagonal(self) -> Floats:
        return np.asarray(self.kernel.diag(self.X), dtype=np.float64)

    def matrix(self) -> Array:
        """The whole matrix."""
        if self.n <= SMALL or not isinstance(self.X, np.ndarray):
            values = self.kernel(self.X, n_threads=self.n_threads)
        else:
            values = _square(self.kernel, self.kernel.prepare(self.X), self.X, self.n_threads)
        return np.ascontiguousarray(values, dtype=self.dtype)


def kernel_rows(
    kernel: Kernel, X: Any, *, allow_single: bool = False, n_threads: int = 1
) -> KernelRows:
    """Rows of a kernel matrix in the precision that suffices.

    Single precision halves time and memory. It is used for a table of more than a few hundred rows
    where the caller allows it and where it agrees with double precision on a sample.

    Parameters
    ----------
    kernel : Kernel
        What is evaluated.
    X : table or list
        The objects.
    allow_single : bool
        Whether the caller can do with single precision.
    n_threads : int
        Threads of the evaluation.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import RBF, kernel_rows
    >>> X = np.random.default_rng(0).normal(size=(600, 2))
    >>> kernel_rows(RBF(), X).dtype, kernel_rows(RBF(), X, allow_single=True).dtype
    (dtype('float64'), dtype('float32'))
    """
    single = allow_single and count(X) > SMALL and _single_suffices(kernel, X)
    dtype = np.dtype(np.float32 if single else np.float64)
    if not isinstance(X, list):
        X = X.astype(dtype, copy=False)
    return KernelRows(kernel, X, dtype, n_threads)


def _square(kernel: Kernel, prepared: Prepared, X: Any, n_threads: int) -> Array:
    values = prepared.rows(X, n_threads)
    # White noise is there only where an object meets itself.
    np.fill_diagonal(values, kernel.diag(X))
    return values


def _single_suffices(kernel: Kernel, X: Any) -> bool:
    if isinstance(X, list):
        return False
    some = X[np.linspace(0, X.shape[0] - 1, PROBE).astype(int)]
    exact = np.asarray(kernel(some.astype(np.float64)), dtype=np.float64)
    single = some.astype(np.float32)
    rough = np.asarray(_square(kernel, kernel.prepare(single), single, 1), dtype=np.float64)
    return bool(np.abs(exact - rough).max() <= 1e-5 * np.abs(exact).max())
