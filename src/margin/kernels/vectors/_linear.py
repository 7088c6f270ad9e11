"""The linear kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import VectorKernel, dot, squared_norms


@dataclass(frozen=True)
class Linear(VectorKernel):
    r"""The scalar product :math:`k(x, z) = x^\top A z` (kernels.02).

    With :math:`A = \Lambda^{-1}` it is the covariance of :math:`x^\top w` for
    :math:`w \sim N(0, \Lambda^{-1})`: Bayesian linear regression as a Gaussian process.

    Parameters
    ----------
    matrix : array-like of shape (p, p), optional
        Symmetric positive semi-definite ``A``; the identity if left out.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    >>> Linear([[2.0, 0.0], [0.0, 1.0]])([[1.0, 2.0]], [[3.0, 4.0]])
    array([[14.]])
    """

    matrix: tuple[tuple[float, ...], ...] | None = None
    takes_sparse = True

    def __post_init__(self) -> None:
        if self.matrix is None:
            return
        A = np.asarray(self.matrix, dtype=np.float64)
        if A.ndim != 2 or A.shape[0] != A.shape[1] or not np.isfinite(A).all():
            raise check.fail(self, "matrix", "a square matrix of finite numbers", A.shape)
        if not np.allclose(A, A.T, rtol=1e-12, atol=0.0):
            raise check.fail(self, "matrix", "symmetric", "a matrix that is not")
        values = np.linalg.eigvalsh(A)
        if len(A) and values[0] < -1e-12 * max(abs(values[-1]), abs(values[0])):
            raise check.fail(
                self, "matrix", "positive semi-definite", f"eigenvalue {values[0]:.6g}"
            )
        object.__setattr__(self, "matrix", tuple(tuple(map(float, row)) for row in A))

    def _mapped(self, X: Any) -> Any:
        A = np.array(self.matrix, dtype=X.dtype)
        if len(A) != X.shape[1]:
            raise check.fail(self, "matrix", f"of {X.shape[1]} rows, one per column", len(A))
        return X @ A

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        if self.matrix is None:
            return dot(X, Z)
        products = dot(self._mapped(X), X if Z is None else Z)
        return 0.5 * (products + products.T) if Z is None else products

    def primal(self, Z: Any, coef: Floats) -> Floats | None:
        r"""Weights :math:`\sum_j c_{jk} z_j` of the columns."""
        return None if self.matrix is not None else np.asarray(Z.T @ coef)

    def _diagonal(self, X: Any) -> Floats:
        if self.matrix is None:
            return squared_norms(X)
        product = self._mapped(X)
        if isinstance(X, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", product, X))
        return np.asarray(X.multiply(product).sum(axis=1)).ravel()
