"""Bagged trees as one sum of trees over all columns."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from margin.core.types import Places
from margin.search import Forest, TreeSum
from margin.tree import Tree


def are_trees(models: Sequence[Any]) -> bool:
    """Whether all members are trees over columns of numbers."""
    return all(
        isinstance(getattr(model, "tree_", None), Tree)
        and getattr(model, "category_columns_", None) is None
        for model in models
    )


def mean_of_trees(
    models: Sequence[Any],
    columns: Sequence[Places],
    n_features: int,
    names: tuple[str, ...],
    n_classes: int | None = None,
) -> TreeSum:
    """The mean of trees (tree.06), each of which knows some of the columns and of the classes."""
    forests = [
        _over_all(model, own, n_features, n_classes)
        for model, own in zip(models, columns, strict=True)
    ]
    forest = Forest.concatenate(forests)
    base = (0.0,) * forest.n_outputs
    return TreeSum(forest, base, 1.0 / len(forests), feature_names=names)


def _over_all(model: Any, columns: Places, n_features: int, n_classes: int | None) -> Forest:
    own: Forest = model.tree_.forest
    feature = np.where(own.feature >= 0, np.asarray(columns)[own.feature], -1).astype(np.int32)
    if n_classes is None:
        return replace(own, n_features=n_features, feature=feature)
    shares = np.zeros((own.n_nodes, n_classes))
    shares[:, np.asarray(model.classes_, dtype=np.intp)] = own.value
    return replace(own, n_features=n_features, n_outputs=n_classes, feature=feature, value=shares)
