"""Causality: graphs, discovery, identification, structural models, effects, sensitivity."""

from margin.causal.bias._selection import (
    Association,
    BerksonReport,
    berkson_check,
    explain_association,
)
from margin.causal.bias._simpson import SimpsonReport, simpson_reversal
from margin.causal.bias._simulators import BiasedStudy, simulate_bias
from margin.causal.conditional._effect_modifier import EffectModifier
from margin.causal.conditional._learners import (
    CausalForest,
    DRLearner,
    RLearner,
    SLearner,
    TLearner,
    XLearner,
)
from margin.causal.designs._differences import DifferenceInDifferences
from margin.causal.designs._discontinuity import RegressionDiscontinuity
from margin.causal.designs._experiments import experiment_design, orient_by_experiments
from margin.causal.designs._instruments import InstrumentalVariables
from margin.causal.designs._randomise import Assignment, randomise
from margin.causal.designs._regimes import Regime, usable_regimes
from margin.causal.designs._synthetic import SyntheticControl
from margin.causal.discovery._edge_frequencies import EdgeFrequencies, bootstrap_edges
from margin.causal.discovery.ancestral._fci import FCI
from margin.causal.discovery.ancestral._rfci import RFCI
from margin.causal.discovery.continuous._notears import NOTEARS
from margin.causal.discovery.invariance._invariant_prediction import InvariantCausalPrediction
from margin.causal.discovery.lingam._direct_lingam import DirectLiNGAM
from margin.causal.discovery.lingam._ica_lingam import ICALiNGAM
from margin.causal.discovery.mechanisms._cam import CAM
from margin.causal.discovery.mechanisms._resit import RESIT
from margin.causal.discovery.scored._ges import GES
from margin.causal.discovery.scored._gies import GIES
from margin.causal.discovery.time._pcmci import PCMCI
from margin.causal.discovery.time._time_series_graph import TimeSeriesGraph
from margin.causal.discovery.time._var_lingam import VARLiNGAM
from margin.causal.distances._hamming import structural_hamming_distance
from margin.causal.distances._identification import adjustment_identification_distance
from margin.causal.distances._intervention import (
    DistanceBounds,
    intervention_distance_bounds,
    structural_intervention_distance,
)
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
    minimal_front_door_set,
)
from margin.causal.identification._transport import Transport, transport
from margin.causal.methods._disjoint_pairs import disjoint_pairs
from margin.causal.methods._doubly_robust import DoublyRobust, TargetedLikelihood
from margin.causal.methods._groups import (
    NaiveDifference,
    PropensityStratification,
    Stratification,
)
from margin.causal.methods._matching import Matching
from margin.causal.methods._partialling_out import PartiallingOut
from margin.causal.methods._plug_in import PlugIn
from margin.causal.methods._regression import Regression
from margin.causal.methods._through_mediators import FrontDoor
from margin.causal.methods._weighting import InverseWeighting
from margin.causal.missingness._missingness_graph import MissingnessGraph
from margin.causal.missingness._recover import recover
from margin.causal.models._additive_noise_sem import AdditiveNoiseSEM
from margin.causal.models._finite_sem import FiniteSEM
from margin.causal.models._gaussian_answer import GaussianAnswer
from margin.causal.models._interventions import Conditional, Hard, Intervention, Shift, Stochastic
from margin.causal.models._linear_sem import LinearSEM
from margin.causal.models._network_effects import (
    has_causal_effect,
    intervened,
    is_true_causal_graph,
    network_effects,
)
from margin.causal.models._response_types import (
    CausationBounds,
    ResponseTypes,
    causation_bounds,
    naive_difference,
)
from margin.causal.models._weighted_draws import WeightedDraws
from margin.causal.sensitivity._e_value import EValue, e_value, e_value_of_difference
from margin.causal.sensitivity._omitted import OmittedVariable
from margin.causal.sensitivity._refuters import Refutation
from margin.causal.sensitivity._rosenbaum import RosenbaumBounds, rosenbaum_bounds
from margin.core import publish

__all__ = [
    "CAM",
    "FCI",
    "GES",
    "GIES",
    "NOTEARS",
    "PCMCI",
    "RESIT",
    "RFCI",
    "AdditiveNoiseSEM",
    "Assignment",
    "Association",
    "AverageEffect",
    "BalanceReport",
    "BerksonReport",
    "BiasedStudy",
    "CausalForest",
    "CausalGraph",
    "CausationBounds",
    "Conditional",
    "DRLearner",
    "DifferenceInDifferences",
    "DirectLiNGAM",
    "DistanceBounds",
    "DoublyRobust",
    "EValue",
    "EdgeFrequencies",
    "EffectModifier",
    "EffectSummary",
    "EffectTable",
    "Estimand",
    "FiniteSEM",
    "FrontDoor",
    "GaussianAnswer",
    "Hard",
    "Hedge",
    "ICALiNGAM",
    "InstrumentalVariables",
    "Intervention",
    "InvariantCausalPrediction",
    "InverseWeighting",
    "LinearSEM",
    "Matching",
    "MissingnessGraph",
    "NaiveDifference",
    "OmittedVariable",
    "PartiallingOut",
    "PlugIn",
    "PropensityStratification",
    "RLearner",
    "Refutation",
    "Regime",
    "Regression",
    "RegressionDiscontinuity",
    "ResponseTypes",
    "RosenbaumBounds",
    "SLearner",
    "Shift",
    "SimpsonReport",
    "Stochastic",
    "Stratification",
    "SyntheticControl",
    "TLearner",
    "TargetedLikelihood",
    "TimeSeriesGraph",
    "Transport",
    "VARLiNGAM",
    "WeightedDraws",
    "XLearner",
    "adjustment_identification_distance",
    "adjustment_sets",
    "balance_report",
    "berkson_check",
    "bootstrap_edges",
    "causation_bounds",
    "disjoint_pairs",
    "e_value",
    "e_value_of_difference",
    "experiment_design",
    "explain_association",
    "forbidden_nodes",
    "front_door_sets",
    "has_causal_effect",
    "identify",
    "instruments",
    "intervened",
    "intervention_distance_bounds",
    "is_adjustment_set",
    "is_back_door_set",
    "is_front_door_set",
    "is_instrument",
    "is_true_causal_graph",
    "latent_projection",
    "minimal_adjustment_set",
    "minimal_front_door_set",
    "naive_difference",
    "network_effects",
    "optimal_adjustment_set",
    "orient_by_experiments",
    "randomise",
    "recover",
    "rosenbaum_bounds",
    "simpson_reversal",
    "simulate_bias",
    "structural_hamming_distance",
    "structural_intervention_distance",
    "transport",
    "usable_regimes",
]

publish(__name__)
