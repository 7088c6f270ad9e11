"""Search engines: trees grown on tables, and graphs learnt by tests, by scores and by both."""

from margin.core import publish
from margin.distributions import distance_correlation
from margin.search.ancestral._ancestral_search import AncestralSearch, AncestralSettings
from margin.search.ancestral._colliders import COLLIDERS
from margin.search.ancestral._fci import fast_causal_inference
from margin.search.ancestral._possible_d_sep import possible_d_sep
from margin.search.ancestral._rfci import really_fast_causal_inference
from margin.search.greedy._class_climb import ClassClimb, climb_classes
from margin.search.greedy._interventions import Interventions
from margin.search.growing._binned_growth import BinnedGrowth
from margin.search.growing._bins import Bins
from margin.search.growing._category_columns import CategoryColumns
from margin.search.growing._constraints import directions_of, interaction_sets, refuse_directions
from margin.search.growing._exact import (
    ClassTargets,
    ExactSettings,
    ExactTable,
    NumberTargets,
    grow_exact,
)
from margin.search.growing._forest import Forest
from margin.search.growing._growth_rules import GrowthRules
from margin.search.growing._pruning import PruningPath, pruned, standing
from margin.search.growing._rules import (
    CLASS_CRITERIA,
    NUMBER_CRITERIA,
    TreeRules,
    chosen_columns,
)
from margin.search.growing._shapley import forest_expectation, forest_shapley
from margin.search.growing._targets import (
    Labels,
    best_labels,
    number_targets,
    refuse_overflow,
    refuse_sparse,
    row_weights,
    split_outputs,
)
from margin.search.growing._tree_model import TreeModel
from margin.search.growing._tree_sum import TreeSum
from margin.search.lags._momentary import MomentaryTests, momentary_tests
from margin.search.structure._averaging import (
    EdgePosterior,
    Walk,
    average_graphs,
    sample_orders,
    walk_orders,
)
from margin.search.structure._blanket import max_min_parents_children
from margin.search.structure._blocks import Blocks, mixed_columns
from margin.search.structure._categorical_test import ChiSquaredTest, GTest, table_test
from margin.search.structure._categories import Categories
from margin.search.structure._column_kinds import (
    continuous_columns,
    floating_columns,
    is_continuous,
)
from margin.search.structure._conditional_gaussian import ConditionalGaussianTest
from margin.search.structure._exact import (
    exact_search,
    family_scores,
    largest_sets,
    parent_sets,
    useful_parents,
)
from margin.search.structure._fisher_z import FisherZ, partial_correlation
from margin.search.structure._hill_climb import Climb, hill_climb, reaches
from margin.search.structure._independence import IndependenceTest, TestResult, bonferroni
from margin.search.structure._knowledge import Knowledge
from margin.search.structure._mixed_test import MixedColumns, MixedTest
from margin.search.structure._moments import Moments
from margin.search.structure._oracle import Oracle
from margin.search.structure._orientation import Orientation, orient, propagate
from margin.search.structure._scores import NetworkScore
from margin.search.structure._skeleton import (
    Skeleton,
    exhaustive_skeleton,
    sequential_skeleton,
    stable_skeleton,
)
from margin.search.structure._trees import (
    information_matrix,
    maximum_spanning_tree,
    mutual_information,
)
from margin.search.structure.dependence._distance_correlation import DistanceCorrelation
from margin.search.structure.dependence._hsic import HSIC, GammaNull, hsic_gamma
from margin.search.structure.dependence._kci import KCI
from margin.search.structure.dependence._kernel_test import KernelTest

__all__ = [
    "CLASS_CRITERIA",
    "COLLIDERS",
    "HSIC",
    "KCI",
    "NUMBER_CRITERIA",
    "AncestralSearch",
    "AncestralSettings",
    "BinnedGrowth",
    "Bins",
    "Blocks",
    "Categories",
    "CategoryColumns",
    "ChiSquaredTest",
    "ClassClimb",
    "ClassTargets",
    "Climb",
    "ConditionalGaussianTest",
    "DistanceCorrelation",
    "EdgePosterior",
    "ExactSettings",
    "ExactTable",
    "FisherZ",
    "Forest",
    "GTest",
    "GammaNull",
    "GrowthRules",
    "IndependenceTest",
    "Interventions",
    "KernelTest",
    "Knowledge",
    "Labels",
    "MixedColumns",
    "MixedTest",
    "MomentaryTests",
    "Moments",
    "NetworkScore",
    "NumberTargets",
    "Oracle",
    "Orientation",
    "PruningPath",
    "Skeleton",
    "TestResult",
    "TreeModel",
    "TreeRules",
    "TreeSum",
    "Walk",
    "average_graphs",
    "best_labels",
    "bonferroni",
    "chosen_columns",
    "climb_classes",
    "continuous_columns",
    "directions_of",
    "distance_correlation",
    "exact_search",
    "exhaustive_skeleton",
    "family_scores",
    "fast_causal_inference",
    "floating_columns",
    "forest_expectation",
    "forest_shapley",
    "grow_exact",
    "hill_climb",
    "hsic_gamma",
    "information_matrix",
    "interaction_sets",
    "is_continuous",
    "largest_sets",
    "max_min_parents_children",
    "maximum_spanning_tree",
    "mixed_columns",
    "momentary_tests",
    "mutual_information",
    "number_targets",
    "orient",
    "parent_sets",
    "partial_correlation",
    "possible_d_sep",
    "propagate",
    "pruned",
    "reaches",
    "really_fast_causal_inference",
    "refuse_directions",
    "refuse_overflow",
    "refuse_sparse",
    "row_weights",
    "sample_orders",
    "sequential_skeleton",
    "split_outputs",
    "stable_skeleton",
    "standing",
    "table_test",
    "useful_parents",
    "walk_orders",
]

publish(__name__)
