"""What a fitted model has learnt: Shapley values, importances, partial dependence."""

from margin.core import publish
from margin.inspection._explanation import Explanation
from margin.inspection._partial_dependence import PartialDependence, partial_dependence
from margin.inspection._permutation_importance import (
    PermutationImportance,
    permutation_importance,
)
from margin.inspection._tree_shap import tree_shap

__all__ = [
    "Explanation",
    "PartialDependence",
    "PermutationImportance",
    "partial_dependence",
    "permutation_importance",
    "tree_shap",
]

publish(__name__)
