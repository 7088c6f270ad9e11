"""Pictures of clique trees, with matplotlib."""

from typing import Any

import numpy as np

from margin.core import extra
from margin.graphs._types import Node
from margin.graphs.pictures._layout import Positions, layout


def draw_clique_tree(
    tree: Any,
    ax: Any = None,
    *,
    positions: Positions | None = None,
    font_size: float = 10.0,
    separator: str = ", ",
) -> Any:
    """Draw the cliques of a junction tree as boxes, and on every edge what its ends share.

    Parameters
    ----------
    tree : CliqueTree
        What to draw.
    ax : matplotlib axes, optional
        Where to; the current axes by default.
    positions : mapping of clique to (x, y), optional
        Places; by default springs along the edges.
    font_size : float
        Height of the letters, in points.
    separator : str
        What stands between the nodes of a clique.

    Returns
    -------
    matplotlib axes
        Without frame.
    """
    plt = extra("matplotlib.pyplot", "draw_clique_tree")
    axes = plt.gca() if ax is None else ax
    places = positions or layout(tree.to_graph(), "spring")

    def write(text: str, at: Any, size: float, fill: str, shape: str) -> None:
        box = {"boxstyle": f"{shape},pad=0.35", "fc": fill, "ec": "#2d3748"}
        axes.text(*at, text, ha="center", va="center", fontsize=size, bbox=box, zorder=3)

    def joined(nodes: tuple[Node, ...]) -> str:
        return separator.join(map(str, nodes)) or "∅"

    for (i, j), shared in zip(tree.edges, tree.separators, strict=True):
        ends = np.array([places[tree.cliques[i]], places[tree.cliques[j]]])
        axes.plot(*ends.T, color="#4a5568", lw=1.5, zorder=1)
        write(joined(shared), ends.mean(0), font_size * 0.85, "white", "square")
    for clique in tree.cliques:
        axes.plot(*places[clique], marker="none")  # text alone does not widen the axes
        write(joined(clique), places[clique], font_size, "#e8eef7", "round")
    axes.margins(0.15)
    axes.axis("off")
    return axes
