"""The intersection kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import VectorKernel


@dataclass(frozen=True)
class Intersection(VectorKernel):
    r"""What two histograms have in common: :math:`\sum_j \min(x_j, z_j)` (kernels.31).

    Positive semi-definite for entries of at least 0, since the minimum of two numbers is the
    length of the overlap of :math:`[0, x]` and :math:`[0, z]`; negative entries are refused.

    Examples
    --------
    >>> Intersection()([[1.0, 2.0, 3.0]], [[3.0, 2.0, 1.0]])
    array([[4.]])
    """

    def _checked(self, X: Floats, name: str) -> Floats:
        if X.size and X.min() < 0:
            raise check.fail(self, name, "at least 0 everywhere", float(X.min()))
        return X

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        left = self._checked(X, "X")
        right = left if Z is None else self._checked(Z, "Z")
        total = np.zeros((len(left), len(right)), dtype=X.dtype)
        for a, b in zip(left.T, right.T, strict=True):
            total += np.minimum.outer(a, b)
        return total

    def _diagonal(self, X: Any) -> Floats:
        return np.asarray(self._checked(X, "X").sum(axis=1))
