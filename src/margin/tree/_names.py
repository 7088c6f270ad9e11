"""Names of columns and classes in texts and pictures of trees."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from margin.core.types import Indices
from margin.tree._structure import Tree

Labels = Callable[[int, Indices], list[str]]


def tree_inside(owner: str, model: Any) -> Tree:
    """The fitted tree of a model."""
    if isinstance(model, Tree):
        return model
    check_is_fitted(model)
    tree = getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise ValueError(f"{owner}: decision_tree must be a fitted tree, got {model!r}")
    return tree


def column_names(names: Any, model: Any, tree: Tree, pattern: str) -> list[str]:
    """Names as given, as seen in the fit, or made from a pattern."""
    if names is None:
        seen = getattr(model, "feature_names_in_", None)
        if seen is not None and pattern.startswith("feature"):
            return [str(name) for name in seen]
        return [pattern.format(j) for j in range(tree.n_features)]
    given = [str(name) for name in names]
    if len(given) != tree.n_features:
        raise ValueError(f"feature_names must contain {tree.n_features} elements, got {len(given)}")
    return given


def class_labels(names: Any, model: Any, tree: Tree) -> list[str] | None:
    """Names of the classes of a tree with one output of classes; None for all others."""
    classes = getattr(model, "classes_", None)
    if classes is None or tree.n_outputs > 1:
        return None
    if names is None or names is True:
        return [str(label) for label in classes]
    given = [str(name) for name in names]
    if len(given) != len(classes):
        raise ValueError(
            "When `class_names` is an array, it should contain as many items as "
            f"`decision_tree.classes_`. Got {len(given)} while the tree was fitted with "
            f"{len(classes)} classes."
        )
    return given


def category_labels(model: Any) -> Labels:
    """The names of categories of a column, from their codes; the codes where nothing is known."""
    columns = getattr(model, "category_columns_", None)
    if columns is None:
        return lambda column, codes: [str(code) for code in codes]
    labels: Labels = columns.labels
    return labels


def questions(
    tree: Tree,
    names: list[str],
    decimals: int,
    node: int,
    *,
    labels: Labels,
    fixed: bool = True,
) -> tuple[str, str]:
    """The question of a node as its left and its right branch say it."""
    column = int(tree.forest.feature[node])
    name = names[column]
    if tree.forest.categories[node] >= 0:
        left = labels(column, tree.categories_left(node))
        inside = ", ".join(left[:12])
        more = ", …" if len(left) > 12 else ""
        return f"{name} in {{{inside}{more}}}", f"{name} not in {{{inside}{more}}}"
    limit = tree.forest.threshold[node]
    if np.isinf(limit):
        return f"{name} is known", f"{name} is missing"
    text = f"{limit:.{decimals}f}" if fixed else str(round(float(limit), decimals))
    return f"{name} <= {text}", f"{name} >  {text}"
