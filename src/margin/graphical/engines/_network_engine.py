"""The one choice of an engine for a network."""

from __future__ import annotations

from margin.graphical._network import Network
from margin.graphical.engines._discrete_engine import DiscreteEngine
from margin.graphical.engines._engine import Engine
from margin.graphical.engines._gaussian_engine import GaussianEngine
from margin.graphical.engines._hybrid_engine import HybridEngine


def network_engine(network: Network, n_threads: int = 1, memory_limit: int | None = None) -> Engine:
    """Engine for a network by the kinds of its nodes: discrete, continuous, or both.

    Parameters
    ----------
    network : Network
    n_threads : int
        Threads of the propagation.
    memory_limit : int, optional
        Most bytes of the tables of inference.
    """
    if not network.continuous:
        return DiscreteEngine(network, n_threads, memory_limit)
    if not network.domain.names:
        return GaussianEngine(network)
    return HybridEngine(network, n_threads, memory_limit)
