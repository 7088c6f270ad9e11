"""Estimators whose answer is a sum of kernels at support vectors."""

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse

from margin.core import threads
from margin.core.objects import precision, take
from margin.core.types import Array, Ints
from margin.kernels import Expansion, Kernel
from margin.svm._kernel_input import KernelInput


class KernelMachine(KernelInput):
    r"""A fitted machine :math:`f_k(x) = \sum_i c_{ik}\, k(x_i, x) + b_k` (svm.13)."""

    n_jobs: Any
    support_: Ints
    support_vectors_: Any
    intercept_: Array

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the machine."""

    def _keep_functions(self, functions: Expansion) -> None:
        """Store the functions that were trained."""
        self.support_ = functions.support
        self.support_vectors_ = functions.vectors
        self.intercept_ = functions.intercept
        self._coef, self._kernel = functions.coef, functions.kernel

    @property
    def _functions(self) -> Expansion:
        return Expansion(
            self._kernel, self.support_vectors_, self.support_, self._coef, self.intercept_
        )

    def _scores(self, X: Any) -> Array:
        """Value of every function at every row, of shape (n, n_functions)."""
        X = self._query(X)
        return self._functions(X, threads.count(self.n_jobs))

    @property
    def coef_(self) -> Any:
        """Weights of the features for the linear kernel, one row per function.

        Read-only, and sparse after a fit to sparse rows.
        """
        weights = self._functions.weights()
        if weights is None:
            raise AttributeError(
                f"{type(self).__name__}: coef_ is there for kernel='linear' only, "
                f"got kernel={self._named_kernel()}"
            )
        rows = np.array(weights.T, dtype=self.intercept_.dtype, order="C")
        shown = like_vectors(rows, self.support_vectors_)
        (shown.data if sparse.issparse(shown) else shown).flags.writeable = False
        return shown

    def _named_kernel(self) -> str:
        """The kernel in messages, as it was asked for."""
        return repr(self.kernel)

    def _warned(self, notes: tuple[str, ...], stacklevel: int = 4) -> tuple[str, ...]:
        """Say what is wrong with the kernel; the notes go into the report as well.

        By default the warning points to the caller of the ``fit`` that calls this.
        """
        for note in notes:
            warnings.warn(f"{type(self).__name__}: {note}", UserWarning, stacklevel=stacklevel)
        return notes


def like_vectors(rows: Array, vectors: Any) -> Any:
    """Coefficients as the support vectors are kept: sparse for sparse ones.

    Examples
    --------
    >>> like_vectors(np.eye(2), sparse.csr_array(np.eye(2))).nnz
    2
    """
    if isinstance(vectors, sparse.sparray):
        return sparse.csr_array(rows)
    return sparse.csr_matrix(rows) if sparse.issparse(vectors) else rows


def extent(X: Any) -> tuple[int, ...]:
    """Shape of a table; the length of a list of objects.

    Examples
    --------
    >>> extent(np.zeros((3, 2))), extent(["a", "ab"])
    ((3, 2), (2,))
    """
    return (len(X),) if isinstance(X, list) else tuple(X.shape)


def functions_at(
    kernel: Kernel | None, X: Any, support: Array, coef: Array, bias: Any
) -> Expansion:
    """Functions with coefficients at some of the training objects.

    Parameters
    ----------
    kernel : Kernel or None
        ``None``: ``X`` is the kernel matrix, and no objects are kept.
    X : table or list
    support : ndarray of int
        Which of the objects.
    coef : ndarray of shape (n_support, n_functions)
    bias : array-like of shape (n_functions,)
    """
    vectors = np.empty((0, 0)) if kernel is None else take(X, support)
    intercept = np.array(bias, dtype=precision(X))
    return Expansion(kernel, vectors, support.astype(np.int32), coef, intercept)
