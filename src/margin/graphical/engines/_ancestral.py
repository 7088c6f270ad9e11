"""Draws from a network along its arrows."""

from __future__ import annotations

import numpy as np

from margin.core.types import Array, Floats, Indices
from margin.graphical._network import Network
from margin.graphical.cpds._gaussian_cpd import GaussianCPD


def ancestral(network: Network, n: int, rng: np.random.Generator) -> dict[str, Array]:
    """Codes and values of every node, drawn after its parents (graphical.01)."""
    drawn: dict[str, Array] = {}
    for name in network.order:
        parents, cpd = network.parents[name], network.cpds[name]
        if isinstance(cpd, GaussianCPD):
            discrete = [p for p in parents if p in network.domain.index]
            continuous = [p for p in parents if p not in network.domain.index]
            intercept, coef, variance = cpd.arrays(
                f"{network.owner}: CPD of {name!r}", network.cards(discrete), len(continuous)
            )
            at = tuple(drawn[p] for p in discrete)
            mean = np.broadcast_to(intercept[at], (n,)).copy()
            weights = np.broadcast_to(coef[at], (n, len(continuous)))
            for column, parent in enumerate(continuous):
                mean += weights[:, column] * drawn[parent]
            drawn[name] = mean + np.sqrt(variance[at]) * rng.standard_normal(n)
        else:
            table = network.table(name)
            rows = table[tuple(drawn[p] for p in parents)]
            drawn[name] = draw(np.broadcast_to(rows, (n, rows.shape[-1])), rng)
    return drawn


def draw(probabilities: Floats, rng: np.random.Generator) -> Indices:
    """One state per row of a table of distributions.

    Examples
    --------
    >>> draw(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    cumulative = np.cumsum(probabilities, axis=1)
    level = rng.random(len(probabilities)) * cumulative[:, -1]
    states: Indices = (level[:, None] >= cumulative).sum(axis=1)
    return states.clip(max=probabilities.shape[1] - 1)
