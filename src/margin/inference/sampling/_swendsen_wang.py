"""Clusters of equal neighbours redrawn at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from margin.core import check
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Indices
from margin.inference.sampling._chain_driver import Transition, Walk, run_chains
from margin.inference.sampling._chains import Chains


@dataclass(frozen=True)
class Potts:
    r"""States of nodes that like to equal their neighbours.

    .. math:: \log p(x) = \sum_{(i, j)} J_{ij} [x_i = x_j] + \sum_i h_{i, x_i} + \text{const}
    """

    edges: Indices
    coupling: Floats
    field: Floats

    def log_density(self, x: Floats) -> float:
        """Log probability of an assignment, up to a constant."""
        states = x.astype(np.int64)
        equal = states[self.edges[:, 0]] == states[self.edges[:, 1]]
        return float(self.coupling @ equal + self.field[np.arange(len(states)), states].sum())


@dataclass(frozen=True)
class ClusterMoves:
    """Bonds between equal neighbours, then a new state for every cluster they make."""

    model: Potts
    columns: tuple[str, ...] = ("n_clusters",)

    def walk(self, x: Floats, n_warmup: int, rng: np.random.Generator) -> Iterator[Transition]:
        """States after every redrawing of all clusters."""
        model, n = self.model, len(x)
        left, right = model.edges.T
        # A bond is kept with the probability that the two are equal for more than chance.
        chance = -np.expm1(-model.coupling)
        states = x.astype(np.int64)
        while True:
            bound = (states[left] == states[right]) & (rng.random(len(chance)) < chance)
            pairs = coo_array((np.ones(bound.sum()), (left[bound], right[bound])), shape=(n, n))
            count, cluster = connected_components(pairs, directed=False)
            logits = np.zeros((count, model.field.shape[1]))
            np.add.at(logits, cluster, model.field)
            noise = -np.log(rng.exponential(size=logits.shape))
            states = (logits + noise).argmax(axis=1)[cluster]
            point = states.astype(np.float64)
            yield Transition(point, model.log_density(point), (float(count),))


def swendsen_wang(
    edges: Array,
    coupling: Array | float,
    *,
    n_nodes: int,
    n_states: int = 2,
    field: Array | None = None,
    n_draws: int = 1000,
    n_warmup: int = 100,
    n_chains: int = 4,
    thin: int = 1,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    callback: Callback | None = None,
) -> Chains:
    r"""Draws of an attractive Potts or Ising model by whole clusters (``inference.26``).

    .. math:: p(x) \propto \exp\Big(\sum_{(i, j)} J_{ij} [x_i = x_j] + \sum_i h_{i, x_i}\Big)

    Equal neighbours are bound with probability :math:`1 - e^{-J_{ij}}`, and every cluster of bound
    nodes gets a new state, all nodes together: near the point where order sets in, single nodes
    would take for ever to turn a region.

    Parameters
    ----------
    edges : array of int, shape (m, 2)
        Neighbours.
    coupling : float or array of shape (m,)
        :math:`J_{ij} \ge 0`. Ising spins with energy :math:`-K s_i s_j` have :math:`J = 2 K`.
    n_nodes, n_states : int
        Nodes, and states of each.
    field : array of shape (n_states,) or (n_nodes, n_states), optional
        :math:`h`, zero unless given.
    n_draws, n_warmup, n_chains, thin : int
        Draws kept of each chain, moves before them, chains, and moves per draw.
    names : sequence of str, optional
        Names of the nodes.
    random_state : int, Generator or RandomState, optional
        Of all chains.
    callback : callable, optional
        ``callback(move, -best log probability)``.

    Returns
    -------
    Chains
        States as numbers, and the statistic ``n_clusters``.

    Examples
    --------
    Two spins of J = 1 are equal with probability e / (e + 1):

    >>> chains = swendsen_wang([[0, 1]], 1.0, n_nodes=2, random_state=0)
    >>> share = (chains.pooled[:, 0] == chains.pooled[:, 1]).mean()
    >>> bool(abs(share - 0.7311) < 0.02)
    True
    """
    owner = "swendsen_wang"
    pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    for name, value, least in (("n_nodes", n_nodes, 1), ("n_states", n_states, 2)):
        if value < least:
            raise check.fail(owner, name, f"an integer of at least {least}", value)
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= n_nodes):
        raise check.fail(owner, "edges", f"nodes from 0 to {n_nodes - 1}", edges)
    strength = np.broadcast_to(np.asarray(coupling, dtype=np.float64), len(pairs))
    if not (np.isfinite(strength) & (strength >= 0)).all():
        raise check.fail(owner, "coupling", "finite and not negative", coupling)
    pull = np.zeros(n_states) if field is None else np.asarray(field, dtype=np.float64)
    if pull.shape not in ((n_states,), (n_nodes, n_states)) or not np.isfinite(pull).all():
        wanted = f"finite, of shape ({n_states},) or ({n_nodes}, {n_states})"
        raise check.fail(owner, "field", wanted, field)
    model = Potts(pairs, strength, np.broadcast_to(pull, (n_nodes, n_states)))
    walk = Walk(owner, n_draws, n_warmup, n_chains, thin, names, random_state, callback)
    return run_chains(ClusterMoves(model), np.zeros(n_nodes), model.log_density, walk)
