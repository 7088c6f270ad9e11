"""The two ways to compute a kernel of structured objects: by parts, or pair by pair."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np

from margin.core import check, threads
from margin.kernels._base import Floats, Kernel
from margin.kernels._memory import refuse_beyond_memory
from margin.kernels.parts._bags import Bags, products
from margin.native.kernels import pairs


class BagKernel(Kernel):
    """A kernel that is the scalar product of explicit, sparse features."""

    @abstractmethod
    def _pack(self, X: Any, Z: Any) -> tuple[Any, int]:
        """Checked objects of both sets in one numbering, and how many are from ``X``."""

    @abstractmethod
    def _bags(self, packed: Any, n_threads: int) -> Bags:
        """Features of packed objects."""

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric."""
        packed, n = self._pack(X, Z)
        m = n if Z is None else len(packed) - n
        refuse_beyond_memory(self, n, m, np.float64)
        n_threads = threads.count(n_threads)
        bags = self._bags(packed, n_threads)
        if Z is None:
            return products(bags, None, n_threads)
        return products(bags.rows(0, n), bags.rows(n, n + m), n_threads)

    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every object, of shape ``(n,)``."""
        packed, _ = self._pack(X, None)
        return self._bags(packed, threads.count(None)).squares()


class PairKernel(Kernel):
    """A kernel with a decay, computed by a programme over every pair of objects."""

    decay: float

    @abstractmethod
    def _pack(self, X: Any, Z: Any) -> tuple[Any, int]:
        """Checked objects of both sets in one numbering, and how many are from ``X``."""

    @abstractmethod
    def _sums(
        self, packed: Any, n: int, right_from: int, how: int, with_slope: bool, n_threads: int
    ) -> tuple[Floats, Floats | None]:
        """Values and slopes in the logarithm of the decay."""

    def _values(self, X: Any, Z: Any, how: int, slope: bool, n_threads: int | None) -> Floats:
        packed, n = self._pack(X, Z)
        right_from = 0 if Z is None else n
        if how != pairs.DIAGONAL:
            refuse_beyond_memory(self, n, len(packed) - right_from, np.float64)
        sums = self._sums(packed, n, right_from, how, slope, threads.count(n_threads))
        wanted = sums[1] if slope else sums[0]
        if wanted is None or not np.isfinite(wanted).all():
            raise check.fail(self, "decay", "small enough for finite sums", self.decay)
        return wanted

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric."""
        return self._values(X, Z, pairs.LOWER if Z is None else pairs.ALL, False, n_threads)

    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every object, of shape ``(n,)``."""
        return self._values(X, None, pairs.DIAGONAL, False, None).ravel()

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The derivative in the logarithm of the decay."""
        yield self._values(X, None, pairs.LOWER, True, None)
