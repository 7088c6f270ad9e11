"""The rules of a tree as text."""

from typing import Any

import numpy as np

from margin.tree._names import category_labels, class_labels, column_names, questions, tree_inside
from margin.tree._structure import Tree


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """Questions and answers of a fitted tree, one line each, indented by depth.

    Parameters
    ----------
    decision_tree : DecisionTreeClassifier, DecisionTreeRegressor or their random kin
        A fitted tree.
    feature_names : array-like of str, optional
        Names of the columns; by default those seen in the fit, or ``feature_0`` and so on.
    class_names : array-like of str, optional
        Names of the classes; by default the labels.
    max_depth : int, default=10
        Deeper branches are only mentioned.
    spacing : int, default=3
        Width of an indentation.
    decimals : int, default=2
        Digits after the point.
    show_weights : bool, default=False
        Whether leaves tell the weights of their classes.

    Returns
    -------
    str

    Examples
    --------
    >>> from margin.tree import DecisionTreeClassifier, export_text
    >>> print(export_text(DecisionTreeClassifier().fit([[0], [1]], ["no", "yes"])))
    |--- feature_0 <= 0.50
    |   |--- class: no
    |--- feature_0 >  0.50
    |   |--- class: yes
    <BLANKLINE>
    """
    for name, value, least in (
        ("max_depth", max_depth, 0),
        ("spacing", spacing, 1),
        ("decimals", decimals, 0),
    ):
        if not isinstance(value, int | np.integer) or value < least:
            raise ValueError(f"export_text: {name} must be at least {least}, got {value!r}")
    tree = tree_inside("export_text", decision_tree)
    labels = class_labels(class_names, decision_tree, tree)
    names = column_names(feature_names, decision_tree, tree, "feature_{}")
    categories = category_labels(decision_tree)
    bars, dashes = "|" + " " * spacing, "|" + "-" * spacing + " "
    lines: list[str] = []
    # Nodes still to be written, with their depth and the text that leads to them.
    open_nodes: list[tuple[int, int, str]] = [(0, 0, "")]
    while open_nodes:
        node, depth, rule = open_nodes.pop()
        if rule:
            lines.append(bars * (depth - 1) + dashes + rule)
        if tree.forest.left[node] < 0:
            lines.append(
                bars * depth + dashes + _answer(tree, node, labels, decimals, show_weights)
            )
        elif depth > max_depth:
            deeper = _depth_below(tree, node)
            lines.append(bars * depth + dashes + f"truncated branch of depth {deeper}")
        else:
            left, right = questions(tree, names, decimals, node, labels=categories)
            open_nodes.append((int(tree.forest.right[node]), depth + 1, right))
            open_nodes.append((int(tree.forest.left[node]), depth + 1, left))
    return "\n".join(lines) + "\n"


def _answer(
    tree: Tree, node: int, labels: list[str] | None, decimals: int, show_weights: bool
) -> str:
    values = tree.forest.value[node]
    if labels is not None:
        weights = ""
        if show_weights:
            parts = ", ".join(f"{v:.{decimals}f}" for v in values * tree.forest.cover[node])
            weights = f"weights: [{parts}] "
        return f"{weights}class: {labels[int(values.argmax())]}"
    return "value: [" + ", ".join(f"{v:.{decimals}f}" for v in values) + "]"


def _depth_below(tree: Tree, node: int) -> int:
    """Levels of the branch under a node, itself included."""
    depths, open_nodes = [1], [(node, 1)]
    while open_nodes:
        at, depth = open_nodes.pop()
        depths.append(depth)
        if tree.forest.left[at] >= 0:
            open_nodes += [
                (int(tree.forest.left[at]), depth + 1),
                (int(tree.forest.right[at]), depth + 1),
            ]
    return max(depths)
