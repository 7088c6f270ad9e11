"""The random-walk kernel of graphs."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.graphs._graph_kernel import GraphKernel
from margin.kernels.graphs._graph_set import GraphSet
from margin.kernels.parts._engines import PairKernel
from margin.native.kernels import random_walks

DENSE_NODES = 400
POWER_STEPS = 200
EASY = 0.5  # a bound of the ratio of the series that needs no sharpening


@dataclass(frozen=True)
class RandomWalk(GraphKernel, PairKernel):
    r"""Graphs are alike if they share walks through the same labels (kernels.30).

    .. math:: k(G, H) = \sum_{l = 0}^{L} \lambda^l\, \mathbf 1^\top W^l \mathbf 1,

    where :math:`W` is the adjacency matrix of the product graph, whose nodes are the pairs of nodes
    of equal label and whose edges are the pairs of edges: :math:`\mathbf 1^\top W^l \mathbf 1`
    counts the pairs of walks of ``l`` steps that read the same labels. Without a limit the sum is
    :math:`\mathbf 1^\top (I - \lambda W)^{-1} \mathbf 1`.

    Parameters
    ----------
    decay : float
        :math:`\lambda`, above 0. For walks of all lengths below one over the squared spectral
        radius of every graph: otherwise the sum has no value, and the call is refused.
    n_steps : int or None
        Longest walk ``L``; None for all lengths.
    label, unlabelled : str
        See :class:`WeisfeilerLehman`.

    Notes
    -----
    The product graph is never formed: a step costs the edges of one graph times the nodes of the
    other. All lengths are summed by conjugate gradients where both graphs are undirected, and by
    the series otherwise.

    References
    ----------
    Vishwanathan, Schraudolph, Kondor, Borgwardt: Graph kernels. Journal of Machine Learning
    Research 11, 2010.

    Examples
    --------
    Two single edges share 4 pairs of walks of every length: 4 (1 + 0.1 + 0.01 + …).

    >>> import numpy as np
    >>> edge = np.array([[0, 1], [1, 0]])
    >>> RandomWalk(0.1, n_steps=2)([edge]).round(6), RandomWalk(0.1)([edge]).round(6)
    (array([[4.44]]), array([[4.444444]]))
    """

    decay: float = 0.01
    n_steps: int | None = None
    hyper: ClassVar[tuple[str, ...]] = ("decay",)
    limits = MappingProxyType({"decay": (1e-5, 1.0)})

    def __post_init__(self) -> None:
        check.params(self, positive="decay")
        if self.n_steps is not None:
            check.params(self, count="n_steps")
        super().__post_init__()

    def _sums(
        self, packed: Any, n: int, right_from: int, how: int, with_slope: bool, n_threads: int
    ) -> tuple[Floats, Floats | None]:
        ways = packed.ways()
        endless = self.n_steps is None
        radii = self._radii(ways) if endless else np.zeros(len(packed))
        return random_walks.walk_sums(
            (ways.offsets, ways.indptr, ways.heads, ways.labels),
            radii,
            packed.undirected(),
            n,
            right_from,
            self.decay,
            -1 if self.n_steps is None else int(self.n_steps),
            how,
            with_slope,
            n_threads,
        )

    def _radii(self, ways: GraphSet) -> NDArray[np.float64]:
        """Bounds of the spectral radii; refuses a decay for which the series may diverge."""
        radii = _largest_degrees(ways)
        for g in np.flatnonzero(self.decay * radii**2 >= EASY):
            radii[g] = _radius(ways[int(g)][0])
        largest = float(radii.max(initial=0.0))
        if self.decay * largest**2 >= 1.0 - 1e-9:
            wanted = f"below {1.0 / largest**2:.6g}, one over the squared spectral radius"
            raise check.fail(self, "decay", wanted, self.decay)
        return radii


def _largest_degrees(ways: GraphSet) -> NDArray[np.float64]:
    """Most arcs that leave a node of each graph, which no eigenvalue exceeds."""
    degrees = np.zeros(len(ways))
    filled = np.flatnonzero(np.diff(ways.offsets))
    if len(filled):
        degrees[filled] = np.maximum.reduceat(np.diff(ways.indptr), ways.offsets[filled])
    return degrees


def _radius(matrix: sparse.csr_array) -> float:
    """Spectral radius of a matrix without negative entries, or an upper bound close to it."""
    if matrix.shape[0] <= DENSE_NODES:
        return float(np.abs(np.linalg.eigvals(matrix.toarray())).max(initial=0.0))
    # The ratios of the image of any positive vector to the vector bound the radius from above;
    # the power method brings them down, shifted so that it cannot swing to and fro.
    vector, bound = np.ones(matrix.shape[0]), np.inf
    for _ in range(POWER_STEPS):
        image = matrix @ vector
        bound = min(bound, float((image / vector).max()))
        vector = image + 0.5 * bound * vector
        vector /= vector.max()
    return bound
