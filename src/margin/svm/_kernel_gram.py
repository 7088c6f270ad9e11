"""Kernel matrices for the solver: whole where they fit, otherwise by rows."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from margin import kernels
from margin.optim import Gram, GramMatrix
from margin.svm._columns import columns_of
from margin.svm._kernel_data import count, take

# What the working sets of the solver hold; smaller problems are solved in double precision.
SMALL = 512
PROBE = 64
EIGEN_ROWS = 300


@dataclass(frozen=True, eq=False)
class KernelGram(Gram):
    """Rows of ``kernel(X)``, computed when they are asked for."""

    kernel: kernels.Kernel
    X: Any
    dtype: Any
    n_threads: int = 1

    @property
    def n(self):  # type: ignore[override]
        """Number of objects."""
        return count(self.X)

    def columns(self, chosen):
        """Function from rows to their block of the matrix."""
        right = self.X if chosen is None else take(self.X, chosen)
        side = columns_of(self.kernel, right)
        place = np.full(self.n, -1)
        place[slice(None) if chosen is None else chosen] = np.arange(count(right))

        def block(rows):
            values = side.rows(take(self.X, rows), self.n_threads)
            values = np.ascontiguousarray(values, dtype=self.dtype)
            # White noise is there only where an object meets itself.
            own = place[rows]
            here = own >= 0
            values[here, own[here]] = self.diagonal()[rows[here]]
            return values

        return block

    def take(self, chosen):
        """The matrix of some of the objects."""
        return KernelGram(self.kernel, take(self.X, chosen), self.dtype, self.n_threads)

    def diagonal(self):
        """Values of the objects with themselves."""
        return self._diagonal

    @cached_property
    def _diagonal(self):
        return np.asarray(self.kernel.diag(self.X), dtype=np.float64)


def kernel_gram(kernel, X, *, tol, cache_size, n_threads):
    """Matrix of a kernel: in memory if it fits the cache, otherwise computed by rows.

    Single precision halves time and memory. It is used for more than a few hundred rows where
    ``tol`` does not ask for more and where it agrees with double precision on a sample.

    Parameters
    ----------
    kernel : Kernel or None
        ``None``: ``X`` is the matrix.
    cache_size : float
        Megabytes.
    """
    if kernel is None:
        return GramMatrix(X)
    n = count(X)
    single = n > SMALL and tol >= 1e-4 and _single_suffices(kernel, X)
    dtype = np.dtype(np.float32 if single else np.float64)
    if not isinstance(X, list):
        X = X.astype(dtype, copy=False)
    if n <= SMALL or n * n * dtype.itemsize <= 1e6 * cache_size:
        return GramMatrix(np.ascontiguousarray(_whole(kernel, X, n_threads), dtype=dtype))
    return KernelGram(kernel, X, dtype, n_threads)


def _whole(kernel, X, n_threads):
    if count(X) <= SMALL or not isinstance(X, np.ndarray):
        return kernel(X, n_threads=n_threads)
    return _packed(kernel, X, n_threads)


def _packed(kernel, X, n_threads):
    values = columns_of(kernel, X).rows(X, n_threads)
    # White noise is there only where an object meets itself.
    np.fill_diagonal(values, kernel.diag(X))
    return values


def _single_suffices(kernel, X):
    if isinstance(X, list):
        return False
    rows = np.linspace(0, X.shape[0] - 1, PROBE).astype(int)
    some = X[rows]
    exact = np.asarray(kernel(some.astype(np.float64)), dtype=np.float64)
    single = some.astype(np.float32)
    rough = np.asarray(_packed(kernel, single, 1), dtype=np.float64)
    return bool(np.abs(exact - rough).max() <= 1e-5 * np.abs(exact).max())


def warn_if_indefinite(estimator, kernel, gram):
    """Say that a kernel of unknown origin has a negative eigenvalue, and which.

    Looks at a sample of the rows: an eigenvalue of a part of a symmetric matrix lies between the
    smallest and the largest of the whole. Returns a note for the report, or nothing.
    """
    known = kernel is not None and not isinstance(kernel, kernels.Custom)
    if known and kernel.definite == "positive":
        return ()
    rows = np.unique(np.linspace(0, gram.n - 1, min(gram.n, EIGEN_ROWS)).astype(np.int64))
    values = np.linalg.eigvalsh(np.asarray(gram.columns(rows)(rows), dtype=np.float64))
    if values[0] >= -1e-6 * max(abs(values[-1]), abs(values[0])):
        return ()
    note = (
        f"the kernel matrix is not positive semi-definite: {len(rows)} of its rows have the "
        f"eigenvalue {values[0]:.4g}; the answer is a stationary point, not the optimum"
    )
    warnings.warn(f"{type(estimator).__name__}: {note}", UserWarning, stacklevel=4)
    return (note,)
