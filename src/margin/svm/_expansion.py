"""A function that is a sum of kernels at the support vectors."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin import kernels
from margin.svm._columns import columns_of
from margin.svm._kernel_data import count


@dataclass(frozen=True, eq=False)
class Expansion:
    r"""The functions :math:`f_k(x) = \sum_i c_{ik}\, k(x_i, x) + b_k` (svm.13).

    Parameters
    ----------
    kernel : Kernel or None
        ``None``: what is given are rows of a kernel matrix.
    vectors : table or list
        The support vectors :math:`x_i`.
    support : ndarray of int
        Their positions in the training data.
    coef : ndarray of shape (n_support, n_functions)
    intercept : ndarray of shape (n_functions,)
    """

    kernel: Any
    vectors: Any
    support: np.ndarray
    coef: np.ndarray
    intercept: np.ndarray

    def __call__(self, X, n_threads=1):
        """Values of shape ``(n, n_functions)``."""
        if self.kernel is None:
            return np.asarray(X[:, self.support] @ self.coef) + self.intercept
        if not len(self.support):
            return np.tile(self.intercept, (count(X), 1))
        precision = np.float64 if isinstance(X, list) else X.dtype
        weights = self.weights()
        if weights is not None:
            return (np.asarray(X @ weights) + self.intercept).astype(precision, copy=False)
        vectors = self.vectors
        if not isinstance(X, list) and X.dtype != vectors.dtype:
            vectors = vectors.astype(X.dtype)
        out = columns_of(self.kernel, vectors).sums(X, self.coef, n_threads)
        return (out + self.intercept).astype(precision, copy=False)

    def weights(self):
        """Coefficients of the features, of shape (p, n_functions), for the linear kernel."""
        if not isinstance(self.kernel, kernels.Linear) or self.kernel.matrix is not None:
            return None
        return np.asarray(self.vectors.T @ self.coef)
