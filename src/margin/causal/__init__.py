"""Causality: graphs with hidden causes, and effects as formulas over what can be observed."""

from margin.causal.discovery._direct_lingam import DirectLiNGAM
from margin.causal.discovery._distances import structural_hamming_distance
from margin.causal.discovery._edge_frequencies import EdgeFrequencies, bootstrap_edges
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._projection import latent_projection
from margin.causal.identification._adjustment import (
    adjustment_sets,
    forbidden_nodes,
    is_adjustment_set,
    is_back_door_set,
    minimal_adjustment_set,
    optimal_adjustment_set,
)
from margin.causal.identification._districts import Hedge
from margin.causal.identification._estimand import EffectTable, Estimand
from margin.causal.identification._identify import identify
from margin.causal.identification._other_doors import (
    front_door_sets,
    instruments,
    is_front_door_set,
    is_instrument,
)
from margin.core import publish

__all__ = [
    "CausalGraph",
    "DirectLiNGAM",
    "EdgeFrequencies",
    "EffectTable",
    "Estimand",
    "Hedge",
    "adjustment_sets",
    "bootstrap_edges",
    "forbidden_nodes",
    "front_door_sets",
    "identify",
    "instruments",
    "is_adjustment_set",
    "is_back_door_set",
    "is_front_door_set",
    "is_instrument",
    "latent_projection",
    "minimal_adjustment_set",
    "optimal_adjustment_set",
    "structural_hamming_distance",
]

publish(__name__)
