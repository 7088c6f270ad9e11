"""The shortest-path kernel of graphs."""

from dataclasses import dataclass

import numpy as np

from margin.kernels.graphs._graph_kernel import GraphKernel
from margin.kernels.graphs._graph_set import GraphSet
from margin.kernels.parts._bags import Bags
from margin.kernels.parts._engines import BagKernel
from margin.native.kernels import counts, graph_kernels


@dataclass(frozen=True)
class ShortestPath(GraphKernel, BagKernel):
    r"""Graphs are alike if their nodes lie equally far apart (kernels.29, kernels.30).

    .. math:: k(G, H) = \sum_{a, b, d} \#_{abd}(G)\, \#_{abd}(H),

    where :math:`\#_{abd}` counts the ordered pairs of distinct nodes of labels ``a`` and ``b``
    with a shortest path of ``d`` edges from the first to the second. Pairs without a path do not
    count.

    Parameters
    ----------
    label, unlabelled : str
        See :class:`WeisfeilerLehman`.

    Notes
    -----
    A breadth-first search from every node: time nodes × edges of each graph.

    References
    ----------
    Borgwardt, Kriegel: Shortest-path kernels on graphs. ICDM 2005.

    Examples
    --------
    A chain of three nodes has four pairs at distance one and two at distance two:

    >>> import networkx as nx
    >>> ShortestPath()([nx.path_graph(3), nx.complete_graph(3)])
    array([[20., 24.],
           [24., 36.]])
    """

    def _bags(self, packed: GraphSet, n_threads: int) -> Bags:
        ways = packed.ways()
        keys, times, starts = graph_kernels.path_counts(
            ways.offsets, ways.indptr, ways.heads, ways.labels, ways.n_labels, n_threads
        )
        columns, n_columns = counts.number_keys(keys)
        return Bags(starts, columns, times.astype(np.float64), n_columns)
