"""Boxes of a drawn tree: where they stand, what they say, their colours."""

from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.tree._structure import Tree

EDGE = "#4a5568"
_COLOURS = (
    *("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#eeca3b", "#9d755d"),
)


def layout(tree: Tree, max_depth: int | None) -> dict[int, tuple[float, float]]:
    """Leaves side by side, parents over the middle of their children; in preorder."""
    forest, depth = tree.forest, tree.forest.node_depths
    shown = [i for i in range(forest.n_nodes) if max_depth is None or depth[i] <= max_depth + 1]
    x: dict[int, float] = {}
    column = 0.0
    for i in shown:
        if forest.left[i] < 0 or (max_depth is not None and depth[i] == max_depth + 1):
            x[i] = column
            column += 1.0
    for i in reversed(shown):
        if i not in x:
            x[i] = (x[int(forest.left[i])] + x[int(forest.right[i])]) / 2
    return {i: (x[i], -float(depth[i])) for i in shown}


def facts(
    tree: Tree,
    node: int,
    criterion: str | None,
    labels: list[str] | None,
    with_names: bool,
    proportion: bool,
    precision: int,
) -> list[str]:
    """Impurity, rows and answer of a node."""
    forest = tree.forest

    def told(name: str, text: str) -> str:
        return f"{name} = {text}" if with_names else text

    def number(v: float) -> str:
        return str(round(float(v), precision))

    def count(v: float) -> str:
        return str(int(v)) if float(v).is_integer() else number(v)

    lines = [told(criterion, number(forest.impurity[node]))] if criterion else []
    rows = forest.n_rows[node]
    share = f"{number(100 * rows / forest.n_rows[0])}%"
    lines.append(told("samples", share if proportion else str(rows)))
    value = forest.value[node]
    if tree.max_n_classes > 1 and not proportion:
        value = value * forest.cover[node]
    told_value = count if tree.max_n_classes > 1 and not proportion else number
    shown = number(value[0]) if len(value) == 1 else f"[{', '.join(map(told_value, value))}]"
    lines.append(told("value", shown))
    if labels is not None:
        lines.append(told("class", labels[int(forest.value[node].argmax())]))
    return lines


def fills(tree: Tree, classes: bool, nodes: Any) -> dict[int, str]:
    """Colours: of the largest class, paler the smaller its share; or by the size of a number."""
    value = tree.forest.value
    if classes and tree.n_outputs == 1:
        return {i: _mixed(_COLOURS[int(value[i].argmax()) % 8], _lead(value[i])) for i in nodes}
    level = value[:, 0]
    spread = float(np.ptp(level)) or 1.0
    return {i: _mixed(_COLOURS[0], float((level[i] - level.min()) / spread)) for i in nodes}


def _lead(shares: Floats) -> float:
    """How far the largest share lies above equal shares, from 0 to 1."""
    k = len(shares)
    return 1.0 if k == 1 else float((shares.max() - 1 / k) / (1 - 1 / k))


def _mixed(colour: str, strength: float) -> str:
    """A colour mixed with white; never so strong that black letters cannot be read on it."""
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
    mixed = 255 + (parts - 255) * 0.75 * strength
    return "#" + "".join(f"{int(v):02x}" for v in mixed)
