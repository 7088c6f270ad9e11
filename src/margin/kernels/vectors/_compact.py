"""Sparse matrices of kernels that are zero beyond some distance."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial import KDTree

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.vectors._vectors import VectorKernel, rows


class CompactSupport(VectorKernel):
    """A kernel that is exactly zero for points far apart (kernels.25).

    ``kernel(X)`` is a dense array as for every kernel, :meth:`sparse` holds only the pairs within
    reach: memory and time grow with their number instead of with the square of the rows.
    """

    @abstractmethod
    def scaled(self, X: Any) -> Floats:
        """The table in units in which the support has the radius :meth:`_reach`."""

    @abstractmethod
    def _reach(self) -> tuple[float, float]:
        """Order of the norm (2, or infinity for a box) and radius of the support."""

    @abstractmethod
    def _at(self, differences: Floats) -> Floats:
        """Kernel of pairs of points from their scaled differences, one row per pair."""

    def sparse(self, X: Any, Z: Any = None) -> sparse.csr_array:
        """The matrix as a sparse array; exactly symmetric with one argument."""
        X = rows(self, X)
        Z = None if Z is None else rows(self, Z, "Z")
        if Z is not None and Z.shape[1] != X.shape[1]:
            raise check.fail(self, "Z", f"of {X.shape[1]} columns as X is", Z.shape[1])
        left = self.scaled(X)
        right = left if Z is None else self.scaled(Z)
        order, radius = self._reach()
        shape = (len(left), len(right))
        if 0 in shape:
            return sparse.csr_array(shape, dtype=left.dtype)
        if Z is None:
            pairs = KDTree(left).query_pairs(radius, p=order, output_type="ndarray")
            values = self._at(left[pairs[:, 0]] - left[pairs[:, 1]])
            i = np.concatenate([pairs[:, 0], pairs[:, 1], np.arange(len(left))])
            j = np.concatenate([pairs[:, 1], pairs[:, 0], np.arange(len(left))])
            values = np.concatenate([values, values, self._diagonal(left)])
        else:
            near = KDTree(left).sparse_distance_matrix(
                KDTree(right), radius, p=order, output_type="ndarray"
            )
            i, j = near["i"], near["j"]
            values = self._at(left[i] - right[j])
        kept = values != 0
        return sparse.csr_array((values[kept], (i[kept], j[kept])), shape=shape)
