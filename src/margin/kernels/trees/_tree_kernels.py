"""Convolution kernels of ordered labelled trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from margin.core import check, threads
from margin.kernels._base import Floats
from margin.kernels.parts._bags import Bags, products
from margin.kernels.parts._engines import BagKernel, PairKernel
from margin.kernels.trees._forest import Forest, forest_of
from margin.native.kernels import tree_kernels

_LIMITS = MappingProxyType({"decay": (1e-3, 1.0)})


@dataclass(frozen=True)
class AllSubtrees(BagKernel):
    r"""Trees are alike if they hold the same subtrees, down to the leaves (kernels.30).

    .. math:: k(S, T) = \sum_u \lambda^{|u|}\, \#_u(S)\, \#_u(T),

    where ``u`` runs over all trees, :math:`|u|` is the number of its nodes and :math:`\#_u(S)`
    counts the nodes of ``S`` that, with everything below them, form ``u``.

    A tree is a nested tuple ``(label, child, child, …)``; a leaf may be its label alone and ``()``
    is the tree without nodes. A networkx ``DiGraph`` with arrows from the root down is taken as
    well: its labels are the attribute ``label`` of the nodes (all alike if none has one), its
    children are in the order of the graph.

    Parameters
    ----------
    decay : float
        :math:`\lambda`, above 0: the weight of every node of a common subtree.

    Notes
    -----
    Time linear in the number of nodes, plus the scalar products of the counts.

    References
    ----------
    Vishwanathan, Smola: Fast kernels for string and tree matching. NIPS 2002.

    Examples
    --------
    >>> AllSubtrees(0.5)([("S", ("A", "a"), ("B", "b"))], [("S", ("A", "a"), "b")])
    array([[1.25]])
    """

    decay: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("decay",)
    limits = _LIMITS
    input: ClassVar[str] = "trees"

    def __post_init__(self) -> None:
        check.params(self, positive="decay")
        super().__post_init__()

    def _pack(self, X: Any, Z: Any) -> tuple[Forest, int]:
        return forest_of(self, X, Z)

    def _bags(self, packed: Forest, n_threads: int) -> Bags:
        ids, sizes = packed.subtrees()
        return Bags.of(ids, packed.offsets, len(sizes)).weighted(self.decay**sizes)

    def derivatives(self, X: Any) -> Iterator[Floats]:
        """The derivative in the logarithm of the decay: every subtree times its size."""
        packed, _ = self._pack(X, None)
        ids, sizes = packed.subtrees()
        bags = Bags.of(ids, packed.offsets, len(sizes))
        yield products(bags.weighted(sizes * self.decay**sizes), None, threads.count(None))


@dataclass(frozen=True)
class SubsetTrees(PairKernel):
    r"""Trees are alike if they share fragments that split no branching (kernels.30).

    A fragment is a connected part of a tree of at least one edge, in which every node has all its
    children or none. The kernel counts the fragments common to both trees, each weighted by
    :math:`\lambda` to the number of its inner nodes,

    .. math:: k(S, T) = \sum_{u \in S} \sum_{v \in T} C(u, v), \qquad
        C(u, v) = \lambda \prod_j \bigl(1 + C(u_j, v_j)\bigr)

    over the children :math:`u_j, v_j` where both nodes have the same label and the same labels of
    children, and 0 otherwise. Trees are given as for :class:`AllSubtrees`.

    Parameters
    ----------
    decay : float
        :math:`\lambda`, above 0; below 1 it keeps large fragments from dominating.

    Notes
    -----
    Only nodes of the same branching are compared; at worst the time is the product of the sizes.

    References
    ----------
    Collins, Duffy: Convolution kernels for natural language. NIPS 2001.

    Examples
    --------
    The fragments of the first tree are its two branchings alone and together:

    >>> tree = ("NP", ("D", "the"), "dog")
    >>> SubsetTrees(1.0)([tree], [tree, ("NP", ("D", "a"), "dog"), ("D", "the")])
    array([[3., 1., 1.]])
    """

    decay: float = 0.5
    hyper: ClassVar[tuple[str, ...]] = ("decay",)
    limits = _LIMITS
    input: ClassVar[str] = "trees"

    def __post_init__(self) -> None:
        check.params(self, positive="decay")
        super().__post_init__()

    def _pack(self, X: Any, Z: Any) -> tuple[Forest, int]:
        return forest_of(self, X, Z)

    def _sums(
        self, packed: Forest, n: int, right_from: int, how: int, with_slope: bool, n_threads: int
    ) -> tuple[Floats, Floats | None]:
        trees = (packed.offsets, packed.indptr, packed.children, packed.rules())
        return tree_kernels.fragment_sums(
            trees, n, right_from, self.decay, how, with_slope, n_threads
        )
