"""The Gaussian kernel against packed rows: one compiled loop for values and sums."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from margin.core.types import Array, Floats
from margin.kernels._prepared import BLOCK_BYTES, Prepared
from margin.native.kernels.gaussian_rows import GaussianColumns


@dataclass(frozen=True, eq=False)
class GaussianRows(Prepared):
    """Rows in units of the length scale, centred so that single precision loses nothing.

    Parameters
    ----------
    length_scale : float or tuple of float
        One for all columns, or one each.
    Z : ndarray of shape (n, p)
        The fixed rows; their data type is that of all values.
    """

    length_scale: float | tuple[float, ...]
    Z: Array

    @cached_property
    def _centre(self) -> Array:
        Z = self.Z
        return np.asarray(Z.mean(axis=0) if len(Z) else np.zeros(Z.shape[1], dtype=Z.dtype))

    @cached_property
    def _factor(self) -> Array:
        return np.asarray((1.0 / np.asarray(self.length_scale)).astype(self.Z.dtype))

    @cached_property
    def _packed(self) -> GaussianColumns:
        return GaussianColumns(self._placed(self.Z))

    def _placed(self, X: Any) -> Array:
        table = X.toarray() if sparse.issparse(X) else np.asarray(X)
        table = table.astype(self._centre.dtype, copy=False)
        return np.ascontiguousarray((table - self._centre) * self._factor)

    def rows(self, X: Any, n_threads: int = 1) -> Array:
        """Kernel values, of shape ``(len(X), len(Z))``."""
        return self._packed.rows(self._placed(X), n_threads)

    def sums(
        self, X: Any, coef: Array, n_threads: int = 1, *, n_bytes: int = BLOCK_BYTES
    ) -> Floats:
        """Kernel values times coefficients; no block of the matrix is held."""
        return self._packed.sums(self._placed(X), coef, n_threads)
