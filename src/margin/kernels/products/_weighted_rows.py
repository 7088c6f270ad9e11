"""A weighted sum of kernels against a fixed set, each part prepared in its own way."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.kernels._prepared import BLOCK_BYTES, Prepared


@dataclass(frozen=True, eq=False)
class WeightedRows(Prepared):
    r"""Values of :math:`\sum_i a_i k_i`.

    Parameters
    ----------
    factors : tuple of float
        Weights :math:`a_i` of the parts.
    parts : tuple of Prepared
        Kernels :math:`k_i` against the same objects.
    """

    factors: tuple[float, ...]
    parts: tuple[Prepared, ...]

    def rows(self, X: Any, n_threads: int = 1) -> Array:
        """Kernel values, of shape ``(len(X), len(Z))``."""
        total: Array | None = None
        for factor, part in zip(self.factors, self.parts, strict=True):
            values = part.rows(X, n_threads)
            values *= values.dtype.type(factor)
            total = values if total is None else total + values
        assert total is not None
        return total

    def sums(
        self, X: Any, coef: Array, n_threads: int = 1, *, n_bytes: int = BLOCK_BYTES
    ) -> Floats:
        """Kernel values times coefficients."""
        pairs = zip(self.factors, self.parts, strict=True)
        terms = [part.sums(X, factor * coef, n_threads, n_bytes=n_bytes) for factor, part in pairs]
        return np.asarray(sum(terms[1:], start=terms[0]))
