"""What a fitted model has learnt: Shapley values, importances, partial dependence, bands."""

from margin.core import publish
from margin.inspection._explanation import Explanation
from margin.inspection._feature_dependence import FeatureDependence, feature_dependence
from margin.inspection._prediction_bands import PredictionBands, prediction_bands
from margin.inspection._sampled_shapley import sampled_shapley
from margin.inspection._shuffled_importance import (
    PermutationImportance,
    shuffled_importance,
)
from margin.inspection._tree_shap import tree_shap

__all__ = [
    "Explanation",
    "FeatureDependence",
    "PermutationImportance",
    "PredictionBands",
    "feature_dependence",
    "prediction_bands",
    "sampled_shapley",
    "shuffled_importance",
    "tree_shap",
]

publish(__name__)
