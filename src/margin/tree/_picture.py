"""Trees drawn with matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import extra
from margin.tree._boxes import EDGE, facts, fills, layout
from margin.tree._names import category_labels, class_labels, column_names, questions, tree_inside
from margin.tree._structure import Tree


@dataclass(eq=False)
class TreeDisplay:
    """A drawn tree: questions in boxes, answers in their colours.

    Parameters
    ----------
    tree : Tree
        What to draw.
    texts : dict of int to str
        What stands in the boxes of the nodes that are drawn.
    fills : dict of int to str
        Colours of the boxes.
    positions : dict of int to (x, y)
        Places of the boxes, the root on top.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the tree was drawn.
    annotations_ : list of matplotlib annotations
        The boxes, the root first; after those of its children the words on the way to them.

    Examples
    --------
    >>> from margin.tree import DecisionTreeRegressor, TreeDisplay
    >>> model = DecisionTreeRegressor().fit([[0], [1]], [1.0, 3.0])
    >>> print(TreeDisplay.of(model).texts[0])
    x[0] <= 0.5
    squared_error = 1.0
    samples = 2
    value = 2.0
    """

    tree: Tree
    texts: dict[int, str]
    fills: dict[int, str]
    positions: dict[int, tuple[float, float]]

    @classmethod
    def of(
        cls,
        model: Any,
        *,
        max_depth: int | None = None,
        feature_names: Any = None,
        class_names: Any = None,
        label: str = "all",
        filled: bool = True,
        impurity: bool = True,
        node_ids: bool = False,
        proportion: bool = False,
        precision: int = 3,
    ) -> TreeDisplay:
        """What to draw for a fitted tree; see :func:`plot_tree` for the parameters."""
        tree = tree_inside("TreeDisplay", model)
        names = column_names(feature_names, model, tree, "x[{}]")
        labels = class_labels(class_names, model, tree) if class_names is not None else None
        categories = category_labels(model)
        named = str(getattr(model, "criterion", "impurity"))
        places = layout(tree, max_depth)
        depth = tree.forest.node_depths
        texts: dict[int, str] = {}
        for node in places:
            if max_depth is not None and depth[node] > max_depth:
                texts[node] = "(...)"
                continue
            lines = [f"node #{node}"] if node_ids else []
            if tree.forest.left[node] >= 0:
                asked = questions(tree, names, precision, node, labels=categories, fixed=False)
                lines.append(asked[0])
            lines += facts(
                tree,
                node,
                named if impurity else None,
                labels,
                label == "all" or (label == "root" and node == 0),
                proportion,
                precision,
            )
            texts[node] = "\n".join(lines)
        colours = fills(tree, hasattr(model, "classes_"), places) if filled else {}
        return cls(tree, texts, colours, places)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **parameters: Any) -> TreeDisplay:
        """Draw a fitted tree; parameters as of :func:`plot_tree`."""
        drawing = {key: parameters.pop(key) for key in ("rounded", "fontsize") if key in parameters}
        return cls.of(estimator, **parameters).plot(ax, **drawing)

    def plot(
        self, ax: Any = None, *, rounded: bool = True, fontsize: float | None = None
    ) -> TreeDisplay:
        """Draw the tree into axes, the current ones by default."""
        plt = extra("matplotlib.pyplot", "TreeDisplay")
        axes = plt.gca() if ax is None else ax
        axes.set_axis_off()
        forest = self.tree.forest
        branches: dict[int, tuple[float, float, str]] = {}
        for node, (x, y) in self.positions.items():
            for child, word in ((forest.left[node], "True  "), (forest.right[node], "  False")):
                if int(child) not in self.positions or forest.left[node] < 0:
                    continue
                to = self.positions[int(child)]
                axes.plot((x, to[0]), (y, to[1]), color=EDGE, lw=1.0, zorder=1)
                if node == 0:
                    branches[int(child)] = ((x + to[0]) / 2, (y + to[1]) / 2, word)
        width = max(1, len({x for x, _ in self.positions.values()}))
        size = fontsize if fontsize is not None else float(np.clip(110 / width, 4.0, 10.0))
        style = "round,pad=0.4" if rounded else "square,pad=0.4"
        self.annotations_ = []
        for node, text in self.texts.items():
            box = {"boxstyle": style, "fc": self.fills.get(node, "white"), "ec": EDGE}
            centred = {"ha": "center", "va": "center", "fontsize": size}
            self.annotations_.append(
                axes.annotate(text, self.positions[node], zorder=3, bbox=box, **centred)
            )
            if node in branches:
                x, y, word = branches[node]
                side = "right" if word.startswith("True") else "left"
                self.annotations_.append(
                    axes.annotate(word, (x, y), ha=side, color=EDGE, fontsize=size, zorder=2)
                )
        xs, ys = zip(*self.positions.values(), strict=True)
        axes.set_xlim(min(xs) - 0.7, max(xs) + 0.7)
        axes.set_ylim(min(ys) - 0.5, max(ys) + 0.5)
        self.ax_ = axes
        return self


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rounded: bool = False,
    precision: int = 3,
    ax: Any = None,
    fontsize: float | None = None,
) -> list[Any]:
    """Draw a fitted tree; the branch to the left of a question means that it is true.

    Parameters
    ----------
    decision_tree : DecisionTreeClassifier, DecisionTreeRegressor or their random kin
        A fitted tree.
    max_depth : int, optional
        Deeper nodes are left out.
    feature_names : array-like of str, optional
        Names of the columns.
    class_names : array-like of str or bool, optional
        Names of the classes, True for the labels; None leaves the class of a node out.
    label : {"all", "root", "none"}, default="all"
        Where numbers have names.
    filled : bool, default=False
        Whether colours show the largest class and its share, or the size of a number.
    impurity : bool, default=True
        Whether impurities are shown.
    node_ids : bool, default=False
        Whether the numbers of the nodes are shown.
    proportion : bool, default=False
        Whether rows are shown as shares.
    rounded : bool, default=False
        Whether boxes have round corners.
    precision : int, default=3
        Digits after the point.
    ax : matplotlib axes, optional
        Where to draw; the current axes by default.
    fontsize : float, optional
        Height of the letters in points; by default what fits.

    Returns
    -------
    list of matplotlib annotations
        The boxes, the root first; after those of its children the words on the way to them.
    """
    display = TreeDisplay.of(
        decision_tree,
        max_depth=max_depth,
        feature_names=feature_names,
        class_names=class_names,
        label=label,
        filled=filled,
        impurity=impurity,
        node_ids=node_ids,
        proportion=proportion,
        precision=precision,
    )
    return display.plot(ax, rounded=rounded, fontsize=fontsize).annotations_
