"""A tree of merges as a value: cut at any number of clusters or at any height."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappush, heappushpop

import numpy as np

from margin.core.types import Floats, Indices


@dataclass(frozen=True, eq=False)
class MergeTree:
    """Merges of rows, in their order (cluster.07).

    Parameters
    ----------
    n_leaves : int
        Rows.
    children : ndarray of shape (n_merges, 2)
        Numbers below ``n_leaves`` are rows, ``n_leaves + s`` is the union of merge ``s``.
    height : ndarray of shape (n_merges,)
        How far apart the two were.
    count : ndarray of shape (n_merges,)
        Rows of the union.

    Examples
    --------
    >>> import numpy as np
    >>> tree = MergeTree(3, np.array([[0, 2], [1, 3]]), np.array([1.0, 4.0]), np.array([2, 3]))
    >>> tree.cut(2), tree.cut(3)
    (array([0, 1, 0]), array([2, 1, 0]))
    """

    n_leaves: int
    children: Indices
    height: Floats
    count: Indices

    def cut(self, k: int) -> Indices:
        """Labels of the rows when ``k`` clusters are left."""
        if len(self.children) < self.n_leaves - 1:
            return self._heads(k)
        # The latest unions are opened, latest first; numbers of clusters are places in the heap.
        nodes = [-(2 * self.n_leaves - 2)]
        for _ in range(k - 1):
            one, other = self.children[-nodes[0] - self.n_leaves]
            heappush(nodes, -int(one))
            heappushpop(nodes, -int(other))
        label, kids = [-1] * (2 * self.n_leaves - 1), self.children.tolist()
        for c, node in enumerate(nodes):
            label[-node] = c
        for s in range(self.n_leaves - 2, -1, -1):
            if (c := label[self.n_leaves + s]) >= 0:
                one, other = kids[s]
                label[one] = label[other] = c
        return np.array(label[: self.n_leaves], dtype=np.int64)

    def _heads(self, k: int) -> Indices:
        """The same where the merges end early."""
        n_merges = self.n_leaves - k
        top = np.arange(self.n_leaves + n_merges)
        for s in range(n_merges - 1, -1, -1):
            top[self.children[s]] = top[self.n_leaves + s]
        return np.unique(top[: self.n_leaves], return_inverse=True)[1].astype(np.int64)

    def linkage_matrix(self) -> Floats:
        """Children, height and count side by side, as SciPy has them."""
        return np.column_stack([self.children, self.height, self.count]).astype(np.float64)
