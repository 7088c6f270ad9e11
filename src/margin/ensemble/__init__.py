"""Ensembles: forests, boosting, bagging, stacking and voting."""

from margin.core import publish
from margin.ensemble.boosting._classifier import GradientBoostingClassifier
from margin.ensemble.boosting._regressor import GradientBoostingRegressor

__all__ = [
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
]

publish(__name__)
