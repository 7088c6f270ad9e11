"""Rows of a Gaussian kernel matrix, and sums of Gaussians, without the matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class GaussianColumns:
    """Objects that others are compared with, packed once for many comparisons.

    Parameters
    ----------
    Z : ndarray of shape (n, p)
        In units of the length scale, float32 or float64.
    """

    def __init__(self, Z: NDArray[Any]) -> None:
        n, p = Z.shape
        width = 64 // Z.dtype.itemsize
        count = -(-n // width)
        padded = np.zeros((count * width, p), dtype=Z.dtype)
        padded[:n] = Z
        packed = padded.reshape(count, width, p).transpose(0, 2, 1)
        self.n, self.dtype = n, Z.dtype
        self._panels = np.ascontiguousarray(packed).reshape(-1)
        self._norms: NDArray[Any] = np.einsum("ij,ij->i", padded, padded)

    def rows(self, X: NDArray[Any], n_threads: int) -> NDArray[Any]:
        """``exp(-|x - z|² / 2)`` of shape ``(len(X), n)``."""
        out = np.empty((X.shape[0], self.n), dtype=self.dtype)
        _native.gaussian_rows(X, _norms(X), self._panels, self._norms, out, n_threads)
        return out

    def sums(self, X: NDArray[Any], coef: NDArray[Any], n_threads: int) -> Floats:
        """``rows(X) @ coef`` for ``coef`` of shape ``(n, k)``; rows do not affect each other."""
        weights = np.zeros((coef.shape[1], len(self._norms)), dtype=self.dtype)
        weights[:, : self.n] = coef.T
        out = np.empty((X.shape[0], coef.shape[1]))
        _native.gaussian_sums(X, _norms(X), self._panels, self._norms, weights, out, n_threads)
        return out


def _norms(X: NDArray[Any]) -> NDArray[Any]:
    squares: NDArray[Any] = np.einsum("ij,ij->i", X, X)
    return squares
