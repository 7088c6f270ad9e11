"""The Weisfeiler–Lehman kernels of graphs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check, threads
from margin.kernels._base import Floats, Kernel
from margin.kernels.graphs._graph_kernel import GraphKernel
from margin.kernels.graphs._graph_set import GraphSet
from margin.kernels.parts._bags import Bags
from margin.kernels.parts._engines import BagKernel
from margin.native.kernels import graph_kernels


@dataclass(frozen=True)
class WeisfeilerLehman(GraphKernel, BagKernel):
    r"""Graphs are alike if their nodes have like surroundings, ever further out (kernels.29).

    .. math:: k(G, H) = \sum_{i = 0}^{h} k_0(G_i, H_i),

    where :math:`G_0` is the graph with its labels and :math:`G_{i+1}` is :math:`G_i` with every
    label replaced by one that stands for the label and the multiset of labels around the node.
    The base kernel :math:`k_0` is by default the scalar product of the label counts.

    Parameters
    ----------
    depth : int
        Number ``h`` of rounds, at least 0.
    base : Kernel, optional
        Any kernel of graphs; its hyper-parameters are those of this kernel.
    label : str
        Attribute of the nodes of networkx graphs that holds their label.
    unlabelled : {"uniform", "degree"}
        Labels of graphs without any: all alike, or the number of edges at the node. Either all
        graphs of a call have labels or none has.

    Notes
    -----
    A graph is a networkx graph, a graph of :mod:`margin.graphs`, a square adjacency matrix, or a
    pair of such a matrix and the labels. Arrows in and out are told apart. Time is linear in the
    edges for every round, plus the scalar products. New labels are numbered exactly, in one
    dictionary for all graphs; rounds end early when they no longer split anything, and what they
    would have added is added.

    References
    ----------
    Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler–Lehman graph kernels.
    Journal of Machine Learning Research 12, 2011.

    Examples
    --------
    >>> import networkx as nx
    >>> from margin.kernels import normalise
    >>> graphs = [nx.path_graph(3), nx.complete_graph(3)]
    >>> WeisfeilerLehman(1)(graphs)
    array([[14., 12.],
           [12., 18.]])
    >>> normalise(WeisfeilerLehman(1))(graphs)[0, 1].round(6)
    np.float64(0.755929)
    """

    depth: int = 3
    base: Kernel | None = None

    def __post_init__(self) -> None:
        whole = isinstance(self.depth, int | np.integer) and not isinstance(self.depth, bool)
        if not whole or self.depth < 0:
            raise check.fail(self, "depth", "an integer of at least 0", self.depth)
        if self.base is not None and (
            not isinstance(self.base, Kernel) or self.base.input not in ("graphs", "any")
        ):
            raise check.fail(self, "base", "a kernel of graphs", self.base)
        super().__post_init__()

    def _rounds(
        self, packed: GraphSet, n_threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
        """Colours of every different round, their numbers, and how often the last one counts."""
        colours, sizes = graph_kernels.refine_colours(
            packed.indptr,
            packed.heads,
            packed.kinds,
            packed.labels,
            packed.n_labels,
            int(self.depth),
            n_threads,
        )
        return colours, sizes, int(self.depth) + 2 - len(sizes)

    def _bags(self, packed: GraphSet, n_threads: int) -> Bags:
        colours, sizes, repeated = self._rounds(packed, n_threads)
        times = np.append(np.ones(len(sizes) - 1, dtype=np.intp), repeated)
        starts = np.concatenate([[0], np.cumsum(np.repeat(sizes, times))])
        ids = np.repeat(colours, times, axis=0).T + starts[:-1].astype(np.int32)
        offsets = packed.offsets * ids.shape[1]
        return Bags.of(np.ascontiguousarray(ids).ravel(), offsets, int(starts[-1]))

    def _relabelled(self, packed: GraphSet, n_threads: int) -> Iterator[tuple[GraphSet, int]]:
        """Graphs of every different round, and how often it counts."""
        colours, sizes, repeated = self._rounds(packed, n_threads)
        for i, (labels, size) in enumerate(zip(colours, sizes, strict=True)):
            yield packed.relabelled(labels, int(size)), repeated if i == len(sizes) - 1 else 1

    def __call__(self, X: Any, Z: Any = None, *, n_threads: int | None = None) -> Floats:
        """Matrix of ``k(x, z)``, of shape ``(n, m)``; with one argument exactly symmetric."""
        if self.base is None:
            return super().__call__(X, Z, n_threads=n_threads)
        packed, n = self._pack(X, Z)
        total: Floats = np.zeros((n, n if Z is None else len(packed) - n))
        for graphs, times in self._relabelled(packed, threads.count(n_threads)):
            left = graphs.rows(0, n)
            right = None if Z is None else graphs.rows(n, len(graphs))
            total += times * self.base(left, right, n_threads=n_threads)
        return total

    def diag(self, X: Any) -> Floats:
        """``k(x, x)`` for every graph, of shape ``(n,)``."""
        if self.base is None:
            return super().diag(X)
        packed, n = self._pack(X, None)
        total: Floats = np.zeros(n)
        for graphs, times in self._relabelled(packed, threads.count(None)):
            total += times * self.base.diag(graphs)
        return total

    @property
    def definite(self) -> Any:  # type: ignore[override]
        """That of the base kernel."""
        return "positive" if self.base is None else self.base.definite

    @property
    def theta(self) -> NDArray[np.float64]:
        """That of the base kernel."""
        return np.empty(0) if self.base is None else self.base.theta

    @property
    def theta_names(self) -> tuple[str, ...]:
        """Those of the base kernel, called ``base``."""
        names = () if self.base is None else self.base.theta_names
        return tuple(f"base.{name}" for name in names)

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Those of the base kernel."""
        return np.empty((0, 2)) if self.base is None else self.base.bounds

    def with_theta(self, theta: ArrayLike) -> Self:
        """The same kernel at other hyper-parameters of the base."""
        if self.base is None:
            return super().with_theta(theta)
        return replace(self, base=self.base.with_theta(theta))

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """Those of the base kernel, summed over the rounds."""
        if self.base is None or not len(self.theta):
            return
        packed, n = self._pack(X, None)
        total = np.zeros((len(self.theta), n, n))
        for graphs, times in self._relabelled(packed, threads.count(None)):
            for matrix, given in zip(total, self.base.derivatives(graphs), strict=True):
                matrix += times * given
        yield from total
