"""Sparse matrices of kernels that are zero beyond some distance."""

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial import KDTree

from margin.core import check
from margin.core.types import Places
from margin.kernels._base import Floats, Kernel
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

    @property
    def by_pairs(self) -> bool:
        """True: pairs out of reach need no look."""
        return True

    @property
    def supports(self) -> tuple[Kernel, ...]:
        """Itself."""
        return (self,)

    def near(self, X: Any, Z: Any = None) -> tuple[Places, Places]:
        """Rows within reach of each other.

        With one table those on the diagonal of the matrix, then those above it.
        """
        return self._within(self.scaled(X), None if Z is None else self.scaled(Z))

    def _within(self, left: Floats, right: Floats | None) -> tuple[Places, Places]:
        order, radius = self._reach()
        tree = KDTree(left)
        if right is None:
            pairs, every = (
                tree.query_pairs(radius, p=order, output_type="ndarray"),
                range(len(left)),
            )
            return np.append(every, pairs[:, 0]), np.append(every, pairs[:, 1])
        near = tree.sparse_distance_matrix(KDTree(right), radius, p=order, output_type="ndarray")
        return near["i"].astype(np.intp), near["j"].astype(np.intp)

    def sparse(self, X: Any, Z: Any = None) -> sparse.csr_array:
        """The matrix as a sparse array; exactly symmetric with one argument."""
        X = rows(self, X)
        Z = None if Z is None else rows(self, Z, "Z")
        if Z is not None and Z.shape[1] != X.shape[1]:
            raise check.fail(self, "Z", f"of {X.shape[1]} columns as X is", Z.shape[1])
        left = self.scaled(X)
        right = left if Z is None else self.scaled(Z)
        shape = (len(left), len(right))
        if 0 in shape:
            return sparse.csr_array(shape, dtype=left.dtype)
        i, j = self._within(left, None if Z is None else right)
        if Z is None:
            above = slice(len(left), None)
            values = self._at(left[i[above]] - left[j[above]])
            values = np.concatenate([self._diagonal(left), values, values])
            i, j = np.concatenate([i, j[above]]), np.concatenate([j, i[above]])
        else:
            values = self._at(left[i] - right[j])
        kept = values != 0
        return sparse.csr_array((values[kept], (i[kept], j[kept])), shape=shape)
