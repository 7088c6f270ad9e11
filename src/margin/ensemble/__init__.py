"""Ensembles: forests, boosting, bagging, stacking and voting."""

from margin.core import publish
from margin.ensemble.adaboost._classifier import AdaBoostClassifier
from margin.ensemble.adaboost._regressor import AdaBoostRegressor
from margin.ensemble.bagging._classifier import BaggingClassifier
from margin.ensemble.bagging._regressor import BaggingRegressor
from margin.ensemble.boosting._classifier import GradientBoostingClassifier
from margin.ensemble.boosting._regressor import GradientBoostingRegressor
from margin.ensemble.boosting._stagewise import AdditiveModel, forward_stagewise
from margin.ensemble.combining._stacking_classifier import StackingClassifier
from margin.ensemble.combining._stacking_regressor import StackingRegressor
from margin.ensemble.combining._voting_classifier import VotingClassifier
from margin.ensemble.combining._voting_regressor import VotingRegressor
from margin.ensemble.diagnostics._averaging import (
    MemberSpread,
    member_spread,
    variance_of_mean,
)
from margin.ensemble.diagnostics._margins import margin_distribution
from margin.ensemble.diagnostics._spikes import Spikes, spikes
from margin.ensemble.forests._extra_trees_classifier import ExtraTreesClassifier
from margin.ensemble.forests._extra_trees_regressor import ExtraTreesRegressor
from margin.ensemble.forests._importance import ForestImportance
from margin.ensemble.forests._random_forest_classifier import RandomForestClassifier
from margin.ensemble.forests._random_forest_regressor import RandomForestRegressor
from margin.ensemble.forests._random_trees_embedding import RandomTreesEmbedding
from margin.ensemble.formats._files import read_trees, write_trees

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "AdditiveModel",
    "BaggingClassifier",
    "BaggingRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestImportance",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "MemberSpread",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomTreesEmbedding",
    "Spikes",
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "forward_stagewise",
    "margin_distribution",
    "member_spread",
    "read_trees",
    "spikes",
    "variance_of_mean",
    "write_trees",
]

publish(__name__)
