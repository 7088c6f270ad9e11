"""A kernel against a fixed set of objects, prepared once for many comparisons."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.objects import count, take
from margin.core.types import Array, Floats

# Memory of a block of the kernel matrix: small enough to stay in the last cache.
BLOCK_BYTES = 8_000_000


class Prepared(ABC):
    """Values of a kernel between any objects and a fixed set :math:`Z`.

    Made by :meth:`Kernel.prepare`, which knows the quickest way. Noise of an object with itself is
    not in them, as in ``kernel(X, Z)``.
    """

    @abstractmethod
    def rows(self, X: Any, n_threads: int = 1) -> Array:
        """Kernel values ``k(x, z)``, of shape ``(len(X), len(Z))``."""

    @abstractmethod
    def sums(
        self, X: Any, coef: Array, n_threads: int = 1, *, n_bytes: int = BLOCK_BYTES
    ) -> Floats:
        r"""Kernel values times coefficients, :math:`\sum_j k(x, z_j)\, c_{jk}`.

        Parameters
        ----------
        X : objects
        coef : ndarray of shape (len(Z), n_functions)
        n_threads : int
        n_bytes : int
            About how much of the kernel matrix may be held at a time.

        Returns
        -------
        ndarray of shape (len(X), n_functions)
            In double precision.
        """


@dataclass(frozen=True, eq=False)
class Blockwise(Prepared):
    """Any kernel: its matrix is computed block by block.

    Parameters
    ----------
    kernel : Kernel
    Z : objects
    """

    kernel: Callable[..., Array]
    Z: Any

    def rows(self, X: Any, n_threads: int = 1) -> Array:
        """Kernel values, of shape ``(len(X), len(Z))``."""
        return np.asarray(self.kernel(X, self.Z, n_threads=n_threads))

    def sums(
        self, X: Any, coef: Array, n_threads: int = 1, *, n_bytes: int = BLOCK_BYTES
    ) -> Floats:
        """Kernel values times coefficients, block by block."""
        n = count(X)
        out = np.empty((n, coef.shape[1]))
        size = max(1, n_bytes // (8 * max(1, count(self.Z))))
        for at in range(0, n, size):
            block = self.rows(take(X, np.arange(at, min(n, at + size))), n_threads)
            out[at : at + size] = block @ coef.astype(block.dtype, copy=False)
        return out
