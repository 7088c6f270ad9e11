"""A function that is a sum of kernels at support vectors."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.objects import count, precision
from margin.core.types import Array
from margin.kernels._base import Kernel


@dataclass(frozen=True, eq=False)
class Expansion:
    r"""The functions :math:`f_k(x) = \sum_i c_{ik}\, k(x_i, x) + b_k` (kernels.01, svm.13).

    Parameters
    ----------
    kernel : Kernel or None
        ``None``: what is given are rows of a kernel matrix.
    vectors : table or list
        The support vectors :math:`x_i`.
    support : ndarray of int
        Their positions in the training data.
    coef : ndarray of shape (n_support, n_functions)
        The coefficients :math:`c_{ik}`.
    intercept : ndarray of shape (n_functions,)
        The constants :math:`b_k`.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import Expansion, Linear
    >>> vectors, coef = np.array([[1.0], [2.0]]), np.array([[1.0], [-1.0]])
    >>> f = Expansion(Linear(), vectors, np.array([0, 1]), coef, np.array([0.5]))
    >>> f(np.array([[3.0]])), f.weights()
    (array([[-2.5]]), array([[-1.]]))
    """

    kernel: Kernel | None
    vectors: Any
    support: Array
    coef: Array
    intercept: Array

    def __call__(self, X: Any, n_threads: int = 1) -> Array:
        """Values of shape ``(n, n_functions)``."""
        if self.kernel is None:
            return np.asarray(X[:, self.support] @ self.coef) + self.intercept
        if not len(self.support):
            return np.tile(self.intercept, (count(X), 1))
        weights = self.weights()
        if weights is not None:
            return (np.asarray(X @ weights) + self.intercept).astype(precision(X), copy=False)
        vectors = self.vectors
        if not isinstance(X, list) and X.dtype != vectors.dtype:
            vectors = vectors.astype(X.dtype)
        sums = self.kernel.prepare(vectors).sums(X, self.coef, n_threads)
        return (sums + self.intercept).astype(precision(X), copy=False)

    def weights(self) -> Array | None:
        """Coefficients of the features, of shape (p, n_functions), if the kernel has them."""
        return None if self.kernel is None else self.kernel.primal(self.vectors, self.coef)
