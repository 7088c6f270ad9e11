"""Objects that many others are compared with, prepared once."""

import numpy as np

from margin import kernels
from margin.native.kernels.gaussian_rows import GaussianColumns
from margin.svm._kernel_data import count, take

# Values of a block of the kernel matrix: small enough to stay in the last cache.
BLOCK = 1_000_000


def columns_of(kernel, Z):
    """The quickest way to compare with ``Z``: packed for the Gaussian kernel, else the kernel."""
    if type(kernel) is kernels.RBF and isinstance(Z, np.ndarray):
        return _Gaussian(kernel, Z)
    if type(kernel) in (kernels.Scaled, kernels.Sum):
        return _Weighted(kernel, Z)
    return _Any(kernel, Z)


class _Gaussian:
    """Scaled and centred, so that single precision loses nothing to far-away points."""

    def __init__(self, kernel, Z):
        self.centre = Z.mean(axis=0) if len(Z) else np.zeros(Z.shape[1], dtype=Z.dtype)
        self.factor = (1.0 / np.asarray(kernel.length_scale)).astype(Z.dtype)
        self.packed = GaussianColumns(self._placed(Z))

    def _placed(self, X):
        X = X.astype(self.centre.dtype, copy=False)
        return np.ascontiguousarray((X - self.centre) * self.factor)

    def rows(self, X, n_threads):
        """Kernel values, of shape ``(len(X), len(Z))``."""
        return self.packed.rows(self._placed(X), n_threads)

    def sums(self, X, coef, n_threads):
        """Kernel values times coefficients."""
        return self.packed.sums(self._placed(X), coef, n_threads)


class _Weighted:
    """A weighted sum of kernels, each prepared in its own way."""

    def __init__(self, kernel, Z):
        parts = kernel.parts if isinstance(kernel, kernels.Sum) else (kernel,)
        self.parts = [
            (part.factor, columns_of(part.kernel, Z))
            if type(part) is kernels.Scaled
            else (1.0, columns_of(part, Z))
            for part in parts
        ]

    def rows(self, X, n_threads):
        """Kernel values, of shape ``(len(X), len(Z))``."""
        total = None
        for factor, side in self.parts:
            values = side.rows(X, n_threads)
            values *= values.dtype.type(factor)
            total = values if total is None else total + values
        return total

    def sums(self, X, coef, n_threads):
        """Kernel values times coefficients."""
        return sum(side.sums(X, factor * coef, n_threads) for factor, side in self.parts)


class _Any:
    def __init__(self, kernel, Z):
        self.kernel, self.Z = kernel, Z

    def rows(self, X, n_threads):
        """Kernel values, of shape ``(len(X), len(Z))``."""
        return np.asarray(self.kernel(X, self.Z, n_threads=n_threads))

    def sums(self, X, coef, n_threads):
        """Kernel values times coefficients, block by block."""
        n = count(X)
        out = np.empty((n, coef.shape[1]))
        size = max(1, BLOCK // max(1, count(self.Z)))
        for at in range(0, n, size):
            block = self.rows(take(X, np.arange(at, min(n, at + size))), n_threads)
            out[at : at + size] = block @ coef.astype(block.dtype, copy=False)
        return out
