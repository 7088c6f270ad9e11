"""Causality: graphs, identification, structural models, effects from data, sensitivity."""

from margin.causal.effects._average_effect import AverageEffect
from margin.causal.effects._balance import BalanceReport, balance_report
from margin.causal.effects._summary import EffectSummary
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
from margin.causal.methods._doubly_robust import DoublyRobust, TargetedLikelihood
from margin.causal.methods._groups import (
    NaiveDifference,
    PropensityStratification,
    Stratification,
)
from margin.causal.methods._matching import Matching, disjoint_pairs
from margin.causal.methods._partialling_out import PartiallingOut
from margin.causal.methods._regression import Regression
from margin.causal.methods._through_mediators import FrontDoor
from margin.causal.methods._weighting import InverseWeighting
from margin.causal.models._additive_noise_sem import AdditiveNoiseSEM, WeightedDraws
from margin.causal.models._gaussian_answer import GaussianAnswer
from margin.causal.models._interventions import Conditional, Hard, Intervention, Shift, Stochastic
from margin.causal.models._linear_sem import LinearSEM
from margin.causal.sensitivity._refuters import Refutation
from margin.core import publish

__all__ = [
    "AdditiveNoiseSEM",
    "AverageEffect",
    "BalanceReport",
    "CausalGraph",
    "Conditional",
    "DoublyRobust",
    "EffectSummary",
    "EffectTable",
    "Estimand",
    "FrontDoor",
    "GaussianAnswer",
    "Hard",
    "Hedge",
    "Intervention",
    "InverseWeighting",
    "LinearSEM",
    "Matching",
    "NaiveDifference",
    "PartiallingOut",
    "PropensityStratification",
    "Refutation",
    "Regression",
    "Shift",
    "Stochastic",
    "Stratification",
    "TargetedLikelihood",
    "WeightedDraws",
    "adjustment_sets",
    "balance_report",
    "disjoint_pairs",
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
]

publish(__name__)
