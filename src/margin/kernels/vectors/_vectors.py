"""Kernels of the rows of a table."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from margin.core import check, threads
from margin.kernels._base import Floats, Kernel
from margin.kernels._memory import refuse_beyond_memory


class VectorKernel(Kernel):
    """A kernel of vectors: checks the tables, then asks the subclass for the numbers.

    A table is a 2-D array of finite numbers, one row per object. float32 stays float32, everything
    else becomes float64. Sparse tables are taken by the kernels that say so.
    """

    takes_sparse = False

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric."""
        X = rows(self, X, "X", self.takes_sparse)
        if Z is not None:
            Z = rows(self, Z, "Z", self.takes_sparse)
            if Z.shape[1] != X.shape[1]:
                raise check.fail(self, "Z", f"of {X.shape[1]} columns as X is", Z.shape[1])
            if Z.dtype != X.dtype:
                X, Z = X.astype(np.float64), Z.astype(np.float64)
        refuse_beyond_memory(self, X.shape[0], (X if Z is None else Z).shape[0], X.dtype)
        return self._matrix(X, Z, threads.count(n_threads))

    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every row, of shape ``(n,)``."""
        return self._diagonal(rows(self, X, "X", self.takes_sparse))

    @abstractmethod
    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        """The matrix for checked tables; ``Z`` may be None."""

    @abstractmethod
    def _diagonal(self, X: Any) -> Floats:
        """The diagonal for a checked table."""


def rows(owner: object, X: Any, name: str = "X", takes_sparse: bool = False) -> Any:
    """A checked table: 2-D, finite, float32 or float64, C-ordered; CSR if it came sparse."""
    if sparse.issparse(X):
        if not takes_sparse:
            raise check.fail(owner, name, "a dense array", "a sparse matrix")
        X = check.structure(owner, X, name).tocsr()
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        if not np.isfinite(X.data).all():
            raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
        return X
    try:
        X = np.asarray(X)
        if X.dtype != np.float32:
            X = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(owner, name, "a table of numbers", type(X).__name__) from None
    if X.ndim != 2:
        raise check.fail(owner, name, "a 2-D array, one row per object", f"shape {X.shape}")
    if not np.isfinite(X).all():
        raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
    return np.ascontiguousarray(X)


def dot(X: Any, Z: Any) -> Floats:
    """``X @ Z.T`` as a dense array, exactly symmetric when ``Z`` is None."""
    product = X @ (X if Z is None else Z).T
    return np.asarray(product.toarray() if sparse.issparse(product) else product)


def squared_norms(X: Any) -> Floats:
    """Squared Euclidean norm of every row."""
    if sparse.issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.asarray(np.einsum("ij,ij->i", X, X))
