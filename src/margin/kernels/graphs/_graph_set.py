"""Many labelled graphs in one numbering of their nodes."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from margin.core.types import Indices, Ints

UNDIRECTED, OUT, IN = 0, 1, 2


@dataclass(frozen=True, eq=False)
class GraphSet:
    """Graphs one after the other, their nodes numbered through.

    Parameters
    ----------
    offsets : ndarray of int64
        Where the nodes of each graph start.
    indptr, heads : ndarray
        Where the arcs of each node start, and the nodes at their other end.
    kinds : ndarray of uint8 or None
        Whether an arc is half of an undirected edge (0), leaves (1) or enters (2) its node; None if
        all graphs are undirected.
    labels : ndarray of int32
        Label of every node, from 0 to ``n_labels - 1``.
    """

    offsets: Indices
    indptr: Indices
    heads: Ints
    kinds: NDArray[np.uint8] | None
    labels: Ints
    n_labels: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[tuple[sparse.csr_array, Ints]]:
        """Every graph as adjacency matrix and labels."""
        return (self[g] for g in range(len(self)))

    def __getitem__(self, g: int) -> tuple[sparse.csr_array, Ints]:
        if not 0 <= g < len(self):
            raise IndexError(f"GraphSet: index must be below {len(self)}, got {g}")
        one = self.rows(g, g + 1).ways()
        shape = (len(one.labels), len(one.labels))
        ones = np.ones(len(one.heads))
        return sparse.csr_array((ones, one.heads, one.indptr), shape=shape), one.labels

    def rows(self, start: int, stop: int) -> Self:
        """Some consecutive graphs, their labels as they are."""
        first, last = int(self.offsets[start]), int(self.offsets[stop])
        from_arc, to_arc = int(self.indptr[first]), int(self.indptr[last])
        return replace(
            self,
            offsets=self.offsets[start : stop + 1] - first,
            indptr=self.indptr[first : last + 1] - from_arc,
            heads=self.heads[from_arc:to_arc] - np.int32(first),
            kinds=None if self.kinds is None else self.kinds[from_arc:to_arc],
            labels=self.labels[first:last],
        )

    def relabelled(self, labels: Ints, n_labels: int) -> Self:
        """The same graphs with other labels."""
        return replace(self, labels=np.ascontiguousarray(labels), n_labels=n_labels)

    def ways(self) -> Self:
        """The same graphs without the arcs that enter a node: where one can go."""
        if self.kinds is None:
            return self
        kept = self.kinds != IN
        indptr = np.concatenate([[0], np.cumsum(kept)])[self.indptr].astype(np.int64)
        return replace(self, indptr=indptr, heads=self.heads[kept], kinds=None)

    def undirected(self) -> NDArray[np.uint8]:
        """Whether each graph has undirected edges only, as 0 or 1."""
        if self.kinds is None:
            return np.ones(len(self), dtype=np.uint8)
        directed = np.concatenate([[0], np.cumsum(self.kinds != UNDIRECTED)])[self.indptr]
        ends = directed[self.offsets]
        return np.asarray(ends[1:] == ends[:-1], dtype=np.uint8)


def joined(first: GraphSet, second: GraphSet) -> GraphSet:
    """Two sets of graphs whose labels mean the same, one after the other."""
    kinds = None
    if first.kinds is not None or second.kinds is not None:
        parts = [
            np.zeros(len(part.heads), dtype=np.uint8) if part.kinds is None else part.kinds
            for part in (first, second)
        ]
        kinds = np.concatenate(parts)
    return GraphSet(
        np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]),
        np.concatenate([first.indptr, second.indptr[1:] + first.indptr[-1]]),
        np.concatenate([first.heads, second.heads + np.int32(first.offsets[-1])]),
        kinds,
        np.concatenate([first.labels, second.labels]),
        max(first.n_labels, second.n_labels),
    )


class GraphBuilder:
    """Collects graphs and numbers their nodes and labels."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.degrees: list[int] = []
        self.heads: list[int] = []
        self.kinds: list[int] | None = None
        self.labels: list[int] = []
        self._number: dict[Hashable, int] = {}

    def add(self, degrees: list[int], heads: list[int], kinds: list[int] | None) -> None:
        """Append a graph: number of arcs of every node, then the arcs of all nodes in order."""
        if kinds is not None and self.kinds is None:
            self.kinds = [UNDIRECTED] * len(self.heads)
        if self.kinds is not None:
            self.kinds += [UNDIRECTED] * len(heads) if kinds is None else kinds
        self.sizes.append(len(degrees))
        self.degrees += degrees
        self.heads += heads

    def label(self, labels: list[Any]) -> None:
        """Append the labels of the nodes of a graph; raises TypeError if one is not hashable."""
        number = self._number
        self.labels += [number.setdefault(label, len(number)) for label in labels]

    def odd_label(self) -> bool:
        """Whether some label is not equal to itself, as NaN is not."""
        return any(label != label for label in self._number)

    def build(self) -> GraphSet:
        """The graphs collected."""
        return GraphSet(
            np.cumsum([0, *self.sizes], dtype=np.int64),
            np.cumsum([0, *self.degrees], dtype=np.int64),
            np.array(self.heads, dtype=np.int32),
            None if self.kinds is None else np.array(self.kinds, dtype=np.uint8),
            np.array(self.labels, dtype=np.int32),
            max(1, len(self._number)),
        )
