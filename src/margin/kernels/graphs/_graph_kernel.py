"""What kernels of graphs have in common, and the simplest of them."""

from dataclasses import dataclass
from typing import Any, ClassVar

from margin.core import check
from margin.kernels._base import Kernel
from margin.kernels.graphs._graph_input import graphs_of
from margin.kernels.graphs._graph_set import GraphSet
from margin.kernels.parts._bags import Bags
from margin.kernels.parts._engines import BagKernel


@dataclass(frozen=True, kw_only=True)
class GraphKernel(Kernel):
    """A kernel of graphs with labelled nodes.

    A graph is a networkx graph, a graph of :mod:`margin.graphs`, a square adjacency matrix (dense
    or sparse; entries that are not zero are edges), or a pair of such a matrix and the labels of
    its nodes. Parallel edges count once; arrows are told from undirected edges. Either all graphs
    of a call have labels or none has.

    Parameters
    ----------
    label : str
        Attribute of the nodes of networkx graphs that holds their label.
    unlabelled : {"uniform", "degree"}
        Labels of graphs without any: all alike, or the number of edges at the node.
    """

    label: str = "label"
    unlabelled: str = "uniform"
    input: ClassVar[str] = "graphs"

    def __post_init__(self) -> None:
        check.params(self, one_of={"unlabelled": ("uniform", "degree")})
        if not isinstance(self.label, str):
            raise check.fail(self, "label", "the name of an attribute", self.label)
        super().__post_init__()

    def _pack(self, X: Any, Z: Any) -> tuple[GraphSet, int]:
        return graphs_of(self, X, Z, self.label, self.unlabelled)


@dataclass(frozen=True)
class VertexHistogram(GraphKernel, BagKernel):
    r"""Graphs are alike if their nodes have the same labels: edges do not matter (kernels.29).

    .. math:: k(G, H) = \sum_\ell \#_\ell(G)\, \#_\ell(H),

    where :math:`\#_\ell` counts the nodes of label :math:`\ell`.

    Parameters
    ----------
    label, unlabelled : str
        See :class:`WeisfeilerLehman`, which this is at depth 0.

    Examples
    --------
    >>> import numpy as np
    >>> pair = np.array([[0, 1], [1, 0]])
    >>> VertexHistogram()([(pair, ["C", "C"])], [(pair, ["C", "O"])])
    array([[2.]])
    """

    def _bags(self, packed: GraphSet, n_threads: int) -> Bags:
        return Bags.of(packed.labels, packed.offsets, packed.n_labels)
