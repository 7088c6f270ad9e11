"""Ensembles: forests, boosting, bagging, stacking and voting."""

from margin.core import publish
from margin.ensemble.boosting._classifier import GradientBoostingClassifier
from margin.ensemble.boosting._regressor import GradientBoostingRegressor
from margin.ensemble.boosting._stagewise import AdditiveModel, forward_stagewise
from margin.ensemble.forests._extra_trees_classifier import ExtraTreesClassifier
from margin.ensemble.forests._extra_trees_regressor import ExtraTreesRegressor
from margin.ensemble.forests._importance import ForestImportance
from margin.ensemble.forests._random_forest_classifier import RandomForestClassifier
from margin.ensemble.forests._random_forest_regressor import RandomForestRegressor

__all__ = [
    "AdditiveModel",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestImportance",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "forward_stagewise",
]

publish(__name__)
