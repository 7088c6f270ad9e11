"""Ordered labelled trees as arrays, children before their parents."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.kernels.parts._symbols import listed

Nodes = list[tuple[Hashable, list[int]]]
"""Label and positions of the children of every node, the root first."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees one after the other; the nodes of a tree in an order that ends with its root.

    Parameters
    ----------
    offsets : ndarray of int64
        Where each tree starts.
    indptr, children : ndarray
        Where the children of each node start, and their numbers.
    labels : list
        Label of every node.
    """

    offsets: NDArray[np.int64]
    indptr: NDArray[np.int64]
    children: NDArray[np.int32]
    labels: list[Hashable]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def below(self, node: int) -> list[int]:
        """Children of a node."""
        return [int(c) for c in self.children[self.indptr[node] : self.indptr[node + 1]]]

    def rules(self) -> NDArray[np.int32]:
        """The same number for the same label and labels of children; -1 for leaves."""
        number: dict[Hashable, int] = {}
        rules = np.full(len(self.labels), -1, dtype=np.int32)
        for node, label in enumerate(self.labels):
            below = self.below(node)
            if below:
                rule = (label, tuple(self.labels[c] for c in below))
                rules[node] = number.setdefault(rule, len(number))
        return rules

    def subtrees(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The same number for equal subtrees, and the number of nodes of each subtree numbered."""
        number: dict[Hashable, int] = {}
        sizes: list[int] = []
        kinds = np.empty(len(self.labels), dtype=np.int32)
        for node, label in enumerate(self.labels):
            below = tuple(int(kinds[c]) for c in self.below(node))
            kind = number.setdefault((label, below), len(number))
            if kind == len(sizes):
                sizes.append(1 + sum(sizes[c] for c in below))
            kinds[node] = kind
        return kinds, np.array(sizes, dtype=np.float64)


def forest_of(owner: object, X: Any, Z: Any) -> tuple[Forest, int]:
    """Trees of both sets, and the number of trees in ``X``."""
    trees = listed(owner, X, "X", "trees")
    n = len(trees)
    if Z is not None:
        trees = trees + listed(owner, Z, "Z", "trees")
    offsets, indptr = [0], [0]
    children: list[int] = []
    labels: list[Hashable] = []
    for i, tree in enumerate(trees):
        name = f"X[{i}]" if i < n else f"Z[{i - n}]"
        nodes = _nodes(owner, tree, name)
        last = len(labels) + len(nodes) - 1
        for label, below in reversed(nodes):
            labels.append(label)
            children += [last - c for c in below]
            indptr.append(len(children))
        offsets.append(len(labels))
    if any(label != label for label in labels):
        raise check.fail(owner, "labels", "equal to themselves", float("nan"))
    return Forest(
        np.array(offsets, dtype=np.int64),
        np.array(indptr, dtype=np.int64),
        np.array(children, dtype=np.int32),
        labels,
    ), n


def _nodes(owner: object, tree: Any, name: str) -> Nodes:
    if hasattr(tree, "adjacency"):
        return _nodes_of_graph(owner, tree, name)
    nodes: Nodes = []
    waiting: list[tuple[Any, int]] = [] if tree == () else [(tree, -1)]
    while waiting:
        part, parent = waiting.pop()
        label, below = (part[0], part[1:]) if isinstance(part, tuple) and part else (part, ())
        if isinstance(label, tuple | list) or not isinstance(label, Hashable):
            wanted = "a tree of tuples (label, child, child, …)"
            raise check.fail(owner, name, wanted, part)
        if parent >= 0:
            nodes[parent][1].append(len(nodes))
        waiting += [(child, len(nodes)) for child in reversed(below)]
        nodes.append((label, []))
    return nodes


def _nodes_of_graph(owner: object, graph: Any, name: str) -> Nodes:
    """Nodes of a networkx graph whose arrows point from parents to children."""
    if not graph.is_directed():
        raise check.fail(owner, name, "a directed graph from the root down", "an undirected graph")
    if not len(graph):
        return []
    roots = [node for node, degree in graph.in_degree() if degree == 0]
    if len(roots) != 1 or any(degree > 1 for _, degree in graph.in_degree()):
        raise check.fail(owner, name, "a tree with one root", f"{len(roots)} roots or two parents")
    nodes: Nodes = []
    waiting = [(roots[0], -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            nodes[parent][1].append(len(nodes))
        waiting += [(child, len(nodes)) for child in reversed(list(graph.successors(node)))]
        nodes.append((graph.nodes[node].get("label"), []))
    if len(nodes) != len(graph):
        raise check.fail(owner, name, "connected", f"{len(graph) - len(nodes)} nodes out of reach")
    if len({label is None for label, _ in nodes}) > 1:
        raise check.fail(owner, name, "labelled at all nodes or at none", "some without a label")
    return nodes
