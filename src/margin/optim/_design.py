"""The rows of a linear model, with a column of ones for the intercept."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.linalg import gram
from margin.native.rows import products


@dataclass(frozen=True, eq=False)
class Design:
    """Products with a table, dense or sparse, whose last column may be ones.

    Parameters
    ----------
    X : ndarray or CSR array of shape (n, p)
    transposed : CSR array of shape (p, n) or None
        The columns of a sparse ``X``, so that gradients are sums over columns.
    intercept : bool
        Whether there is a column of ones.
    n_threads : int
        Threads of the compiled products.

    Examples
    --------
    >>> design = Design(np.array([[1.0, 2.0], [3.0, 5.0]]), None, True)
    >>> design.sums(np.array([[1.0], [1.0]]))
    array([4., 7., 2.])
    >>> design.gram(np.array([1.0, 0.5]))
    array([[ 5.5,  9.5,  2.5],
           [ 9.5, 16.5,  4.5],
           [ 2.5,  4.5,  1.5]])
    """

    X: Any
    transposed: Any
    intercept: bool
    n_threads: int = 1

    def product(self, coef: Floats) -> Floats:
        """The table times coefficients of shape (p, k), without the column of ones."""
        if self.transposed is not None:
            return products.csr_product(self.X, np.ascontiguousarray(coef), self.n_threads)
        return np.asarray(self.X @ coef, dtype=np.float64)

    def sums(self, rows: Floats) -> Floats:
        """Sums over rows of shape (n, k), laid out as the unknowns: features, then ones."""
        if self.transposed is not None:
            top = products.csr_product(self.transposed, np.ascontiguousarray(rows), self.n_threads)
        else:
            top = np.asarray(self.X.T @ rows, dtype=np.float64)
        if not self.intercept:
            return top.ravel()
        return np.concatenate([top.ravel(), rows.sum(axis=0)])

    def gram(self, weight: Floats) -> Floats:
        """The design transposed times diag(weight) times the design."""
        p = self.X.shape[1]
        if weight.size and weight.min() < 0 < weight.max():
            # A loss that is not convex: the sum of a positive and a negative matrix.
            return self.gram(np.maximum(weight, 0.0)) + self.gram(np.minimum(weight, 0.0))
        out = np.empty((p + int(self.intercept),) * 2)
        if self.transposed is not None:
            scaled = self.transposed.multiply(weight).tocsr()
            out[:p, :p] = (scaled @ self.X).toarray()
            ones = np.asarray(scaled.sum(axis=1)).ravel()
        else:
            # Blocks of two different classes have negative weights.
            sign = -1.0 if weight.size and weight.min() < 0 else 1.0
            matrix, moments = gram(self.X, sign * weight, targets=np.ones((len(weight), 1)))
            assert moments is not None
            out[:p, :p] = sign * matrix
            ones = sign * moments[:, 0]
        if self.intercept:
            out[:p, p] = out[p, :p] = ones
            out[p, p] = weight.sum()
        return out
