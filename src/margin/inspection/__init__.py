"""What a fitted model has learnt: Shapley values, importances, partial dependence."""

from margin.core import publish
from margin.inspection._explanation import Explanation
from margin.inspection._feature_dependence import FeatureDependence, feature_dependence
from margin.inspection._shuffled_importance import (
    PermutationImportance,
    shuffled_importance,
)
from margin.inspection._tree_shap import tree_shap

__all__ = [
    "Explanation",
    "FeatureDependence",
    "PermutationImportance",
    "feature_dependence",
    "shuffled_importance",
    "tree_shap",
]

publish(__name__)
