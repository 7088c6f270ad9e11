"""Ising and Potts models, on a graph or a grid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.graphical.undirected._undirected_model import UndirectedModel, checked_factors
from margin.inference import PairBeliefs, pairwise_bp


def grid_edges(height: int, width: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Neighbours to the right and below on a grid.

    Examples
    --------
    >>> grid_edges(2, 2)
    [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 1), (1, 1)), ((1, 0), (1, 1))]
    """
    return [
        ((r, c), other)
        for r in range(height)
        for c in range(width)
        for other in ((r, c + 1), (r + 1, c))
        if other[0] < height and other[1] < width
    ]


class Ising(UndirectedModel):
    r"""Spins that like to agree, with a temperature (graphical.14).

    .. math:: p(x) = \frac1Z \prod_{i \sim j} e^{-J (x_i - x_j)^2 / (2 T)} \prod_i e^{h_i x_i / T},
              \qquad x_i \in \{-1, +1\}

    An edge weighs 1 when aligned and :math:`e^{-2 J / T}` otherwise.

    Parameters
    ----------
    edges : iterable of pairs, or (height, width)
        Which spins touch; two numbers are a grid whose spins are called (row, column).
    temperature : float, default=1.0
        :math:`T`, above 0: high makes spins independent, low freezes them.
    coupling : float, default=1.0
        :math:`J`; negative makes neighbours disagree.
    field : mapping of node to float, optional
        External field :math:`h_i`; zero by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(np.exp(Ising((2, 2)).log_partition)), 10)
    2.2204585919
    >>> round(float(np.exp(Ising((2, 2), temperature=2.0).log_partition)), 10)
    3.6606546766
    >>> round(float(np.exp(Ising([("a", "b")]).log_partition)), 10)
    2.2706705665
    """

    def __init__(
        self,
        edges: Any,
        *,
        temperature: float = 1.0,
        coupling: float = 1.0,
        field: Any = None,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.temperature, self.coupling = temperature, coupling
        check.params(self, positive="temperature")
        pairs, nodes = _neighbours("Ising", edges)
        spins = np.array([-1.0, 1.0])
        edge = np.exp(-coupling * (spins[:, None] - spins) ** 2 / (2 * temperature))
        factors: list[tuple[tuple[Any, ...], Floats]] = [(pair, edge) for pair in pairs]
        for name, strength in (field or {}).items():
            if name not in nodes:
                raise check.fail(self, "field", "of the spins", name)
            factors.append(((name,), np.exp(strength * spins / temperature)))
        states = dict.fromkeys(nodes, (-1, 1))
        domain, checked = checked_factors("Ising", factors, states)
        self._set(domain, checked, memory_limit, n_jobs)


class Potts(UndirectedModel):
    r"""Labels on a graph, neighbours prefer the same one.

    .. math:: p(x) = \frac1Z \exp\Big(-\sum_i U_i(x_i) - \sum_{i \sim j} J\,[x_i \ne x_j]\Big)

    Parameters
    ----------
    edges : iterable of pairs, or (height, width)
        Which nodes touch; two numbers are a grid whose nodes are called (row, column).
    unary : array-like of shape (n_nodes, n_labels), or (height, width, n_labels)
        Energies :math:`U_i` of the labels, low where the data like them.
    coupling : float, default=1.0
        Energy :math:`J` of two neighbours that differ.
    labels : sequence, optional
        Names of the labels; 0, 1, … by default.
    memory_limit, n_jobs : int, optional
        As for :class:`MarkovNetwork`.

    Examples
    --------
    >>> model = Potts((1, 2), [[[0.0, 2.0], [1.0, 0.0]]], coupling=1.5)
    >>> model.map_query()
    {(0, 0): 0, (0, 1): 0}
    """

    def __init__(
        self,
        edges: Any,
        unary: ArrayLike,
        *,
        coupling: float = 1.0,
        labels: Iterable[Hashable] | None = None,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
    ):
        pairs, nodes = _neighbours("Potts", edges)
        energies = np.asarray(unary, dtype=np.float64)
        if energies.ndim < 2 or energies[..., 0].size != len(nodes):
            raise check.fail(
                self, "unary", f"energies of the labels of {len(nodes)} nodes", energies.shape
            )
        energies = energies.reshape(len(nodes), -1)
        if not np.isfinite(energies).all():
            raise check.fail(self, "unary", "finite everywhere", "NaN or infinity")
        count = energies.shape[1]
        named = tuple(range(count)) if labels is None else tuple(labels)
        if len(named) != count:
            raise check.fail(self, "labels", f"{count} names", named)
        self.coupling = coupling
        self.unary = energies
        edge = np.exp(-coupling * (1 - np.eye(count)))
        # The lowest energy of a node is the origin: no potential underflows to all zeros.
        weights = np.exp(energies.min(axis=1, keepdims=True) - energies)
        factors: list[tuple[tuple[Any, ...], Floats]] = [
            ((name,), row) for name, row in zip(nodes, weights, strict=True)
        ]
        factors += [(pair, edge) for pair in pairs]
        domain, checked = checked_factors("Potts", factors, dict.fromkeys(nodes, named))
        self._set(domain, checked, memory_limit, n_jobs)
        self.shape = tuple(edges) if is_grid(edges) else None
        index = self._domain.index
        self._pairs = np.array([(index[a], index[b]) for a, b in pairs], dtype=np.int32)

    def beliefs(self, *, maximise: bool = False, **options: Any) -> PairBeliefs:
        """Loopy belief propagation, for graphs that are too large for exact answers.

        Parameters
        ----------
        maximise : bool
            Max-product, for the best labelling, instead of marginals.
        **options
            Of :func:`margin.inference.pairwise_bp`: ``damping``, ``schedule``, ``tol``, …

        Returns
        -------
        PairBeliefs
            With ``marginals`` of shape (n_nodes, n_labels) and ``states``, the best label each.
        """
        count = self.unary.shape[1]
        return pairwise_bp(
            np.exp(self.unary.min(axis=1, keepdims=True) - self.unary),
            self._pairs.reshape(-1, 2),
            np.exp(-self.coupling * (1 - np.eye(count))),
            maximise=maximise,
            **options,
        )


def is_grid(edges: Any) -> bool:
    """Whether ``edges`` is the size of a grid.

    Examples
    --------
    >>> is_grid((3, 4)), is_grid([("a", "b")])
    (True, False)
    """
    return (
        isinstance(edges, tuple)
        and len(edges) == 2
        and all(isinstance(size, int | np.integer) for size in edges)
    )


def _neighbours(owner: str, edges: Any) -> tuple[list[tuple[Any, Any]], list[Any]]:
    if is_grid(edges):
        height, width = (int(size) for size in edges)
        if height < 1 or width < 1:
            raise check.fail(owner, "edges", "a grid of at least one node", edges)
        return grid_edges(height, width), [(r, c) for r in range(height) for c in range(width)]
    pairs = [tuple(pair) for pair in getattr(edges, "edges", edges)]
    if any(len(pair) != 2 or pair[0] == pair[1] for pair in pairs):
        raise check.fail(owner, "edges", "pairs of different nodes", pairs)
    nodes = list(getattr(edges, "nodes", dict.fromkeys(n for pair in pairs for n in pair)))
    return pairs, nodes
