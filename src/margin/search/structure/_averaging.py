"""Averages over graphs instead of one graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy.special import logsumexp

from margin.core.types import Floats
from margin.native.structure import structure
from margin.search.structure._exact import Masks, family_scores, parent_sets
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._scores import NetworkScore

MOST_ENUMERATED = 5


@dataclass(frozen=True, eq=False)
class EdgePosterior:
    """Posterior probabilities of arcs.

    Parameters
    ----------
    probability : ndarray of shape (p, p)
        Probability of the arc (parent, child).
    log_scores : ndarray
        Log score of every sampled order, or of every graph that was enumerated.
    accepted : float
        Share of proposals that were accepted; one for an enumeration.
    interrupted : bool
        Whether a keyboard interrupt ended the sampling early.
    """

    probability: Floats
    log_scores: Floats
    accepted: float
    interrupted: bool = False


@dataclass(frozen=True)
class Walk:
    """Length of a walk over orders.

    Parameters
    ----------
    n_samples, burn_in, thin : int
        Orders kept, steps before the first, and steps per kept order.

    Examples
    --------
    >>> Walk(1000, 1000, 10).within(1e9, n_nodes=60, n_sets=36_000)
    Walk(n_samples=95, burn_in=95, thin=10)
    """

    n_samples: int = 1000
    burn_in: int = 1000
    thin: int = 10

    def within(self, work: float, *, n_nodes: int, n_sets: int) -> Walk:
        """The walk, shortened in proportion where it would look up more families than ``work``.

        A swap of two places looks up the families of the nodes between them, a third of all.
        """
        step = n_sets * ((n_nodes + 1) / 3 + n_nodes / self.thin)
        share = work / (step * (self.burn_in + self.n_samples * self.thin))
        if share >= 1.0:
            return self
        return replace(
            self,
            n_samples=min(self.n_samples, max(10, int(share * self.n_samples))),
            burn_in=int(share * self.burn_in),
        )


def sample_orders(
    score: NetworkScore,
    knowledge: Knowledge,
    rng: np.random.Generator,
    *,
    max_parents: int = 3,
    n_samples: int = 1000,
    burn_in: int = 1000,
    thin: int = 10,
    n_threads: int = 1,
) -> EdgePosterior:
    """Edge posteriors by a Metropolis walk over orders of the nodes (graphical.38).

    Given an order the sum over all graphs that agree with it factorises over the nodes, so every
    order contributes exact arc probabilities. The prior is uniform over orders: a graph weighs as
    much as the number of orders it agrees with, which favours graphs with few arcs. A keyboard
    interrupt ends the walk with the orders sampled so far.
    """
    masks = parent_sets(score.n_nodes, min(max_parents, score.n_nodes - 1))
    table = family_scores(score, knowledge, masks, n_threads)
    return walk_orders(table, masks, Walk(n_samples, burn_in, thin), rng)


def walk_orders(table: Floats, masks: Masks, walk: Walk, rng: np.random.Generator) -> EdgePosterior:
    """One walk of :func:`sample_orders` over families that are scored already.

    ``table`` holds the score of every node under every set of ``masks``.
    """
    seed = int(rng.integers(2**63))
    length = walk.burn_in, walk.n_samples, walk.thin
    edges, trace, accepted = structure.order_chain(table, masks, *length, seed)
    return EdgePosterior(edges, trace, accepted, len(trace) < walk.n_samples)


def average_graphs(score: NetworkScore, knowledge: Knowledge) -> EdgePosterior:
    """Exact edge posteriors by enumeration of all graphs, under a uniform prior over graphs.

    There are 1, 3, 25, 543, 29 281 graphs of 1 to 5 nodes; more are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.search import Categories
    >>> table = Categories.of("Example", [[0, 0], [0, 0], [1, 1], [1, 1]])
    >>> posterior = average_graphs(NetworkScore.of("Example", table, "bdeu"), Knowledge.none(2))
    >>> len(posterior.log_scores), bool(np.allclose(posterior.probability, posterior.probability.T))
    (3, True)
    """
    p = score.n_nodes
    if p > MOST_ENUMERATED:
        raise ValueError(
            f"average_graphs: the graph must have at most {MOST_ENUMERATED} nodes, got {p}; "
            "sample orders instead"
        )
    masks = parent_sets(p, p - 1)
    table = family_scores(score, knowledge, masks, 1)
    graphs = list(_acyclic(table, masks))
    if not graphs:
        raise ValueError("average_graphs: no graph satisfies the required and forbidden arcs")
    logs = np.array([sum(table[j, s] for j, s in enumerate(sets)) for sets in graphs])
    weight = np.exp(logs - logsumexp(logs))
    probability = np.zeros((p, p))
    for share, sets in zip(weight, graphs, strict=True):
        for child, at in enumerate(sets):
            mask = int(masks[at])
            probability[[i for i in range(p) if mask >> i & 1], child] += share
    return EdgePosterior(probability, logs, 1.0)


def _acyclic(table: Floats, masks: Masks) -> Iterator[tuple[int, ...]]:
    allowed = [np.flatnonzero(np.isfinite(row)).tolist() for row in table]
    sets = [int(mask) for mask in masks]
    for choice in product(*allowed):
        left, placed = set(range(len(table))), 0
        while left:
            free = [j for j in left if sets[choice[j]] & ~placed == 0]
            if not free:
                break
            left.difference_update(free)
            placed |= sum(1 << j for j in free)
        else:
            yield choice
