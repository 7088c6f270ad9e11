"""A column for every leaf that rows have reached."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, csr_matrix
from sklearn import get_config
from sklearn.preprocessing import OneHotEncoder

from margin.core.types import Indices, Ints


@dataclass(frozen=True, eq=False)
class LeafColumns:
    """What scikit-learn's one-hot encoder learns of the numbers of leaves, at once for all trees.

    Parameters
    ----------
    offsets : ndarray of int of shape (n_trees + 1,)
        Where the nodes of each tree start.
    column : ndarray of int of shape (n_nodes,)
        Of each node; -1 for one that is no leaf or that no row has reached.
    sparse_output : bool
        Whether codes are sparse tables.

    Examples
    --------
    >>> leaves = np.array([[1, 2], [2, 2]], dtype=np.int32)
    >>> columns = LeafColumns.of(leaves, np.array([0, 3, 6]), sparse_output=False)
    >>> columns.column
    array([-1,  0,  1, -1, -1,  2], dtype=int32)
    >>> columns.codes(np.array([[2, 2]]))
    array([[0., 1., 1.]])
    """

    offsets: Indices
    column: Ints
    sparse_output: bool = True

    @classmethod
    def of(cls, leaves: Ints, offsets: Indices, sparse_output: bool = True) -> Self:
        """Columns of the leaves that rows reach, tree by tree, those of a tree in rising order."""
        reached = np.zeros(int(offsets[-1]), dtype=np.bool_)
        reached[leaves + offsets[:-1]] = True
        column = np.where(reached, np.cumsum(reached) - 1, -1).astype(np.int32)
        return cls(offsets, column, sparse_output)

    @property
    def count(self) -> int:
        """Number of columns."""
        return int(self.column.max(initial=-1)) + 1

    @property
    def leaves(self) -> list[Indices]:
        """Numbers of the leaves of each tree that have a column."""
        return [np.flatnonzero(self.column[a:b] >= 0) for a, b in pairwise(self.offsets.tolist())]

    def encoder(self) -> OneHotEncoder:
        """The encoder of scikit-learn that makes the same codes."""
        leaves = self.leaves
        most = max(map(len, leaves))
        table = np.stack([np.resize(numbers, most) for numbers in leaves], axis=1)
        return OneHotEncoder(sparse_output=self.sparse_output).fit(table.astype(np.int32))

    def codes(self, leaves: Ints) -> Any:
        """Ones in the columns of the leaves of rows; a leaf without a column is refused."""
        columns = self.column[leaves + self.offsets[:-1]]
        settings = get_config()
        unknown = bool(columns.size) and int(columns.min()) < 0
        if unknown or settings["transform_output"] != "default":
            return self.encoder().transform(leaves)
        (n, n_trees), count = columns.shape, self.count
        kind = np.int32 if max(n * n_trees, count) <= np.iinfo(np.int32).max else np.int64
        ends = np.arange(0, n * n_trees + 1, n_trees, dtype=kind)
        form = csr_array if settings.get("sparse_interface") == "sparray" else csr_matrix
        ones, at = np.ones(n * n_trees), columns.ravel().astype(kind, copy=False)
        codes = form((ones, at, ends), shape=(n, count))
        return codes if self.sparse_output else codes.toarray()
