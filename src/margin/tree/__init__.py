"""Decision trees for classification and regression, their rules and pictures."""

from margin.core import publish
from margin.tree._extra_classifier import ExtraTreeClassifier
from margin.tree._extra_regressor import ExtraTreeRegressor
from margin.tree._picture import TreeDisplay, plot_tree
from margin.tree._pruning_choice import PruningChoice
from margin.tree._structure import Tree, path_indicator
from margin.tree._text import export_text
from margin.tree._tree_classifier import DecisionTreeClassifier
from margin.tree._tree_regressor import DecisionTreeRegressor

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "PruningChoice",
    "Tree",
    "TreeDisplay",
    "export_text",
    "path_indicator",
    "plot_tree",
]

publish(__name__)
