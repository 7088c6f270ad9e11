"""Pictures of graphs, with matplotlib."""

import math
from collections.abc import Mapping
from typing import Any

from margin.core import extra
from margin.graphs._types import Edge, Kind, Node
from margin.graphs.pictures._drawable import drawable
from margin.graphs.pictures._layout import Positions, layout
from margin.graphs.pictures._outline import Outline, outline

# What stands at the two ends of an edge.
_ENDS: dict[Kind, tuple[str, str]] = {
    "directed": ("", ">"),
    "undirected": ("", ""),
    "bidirected": ("<", ">"),
    "circle-arrow": ("o", ">"),
    "circle-circle": ("o", "o"),
    "circle-tail": ("o", ""),
}
_STYLES = {(False, False): "-", (False, True): "-|>", (True, True): "<|-|>"}
_CIRCLE = 6.0  # diameter of an open mark, in points
_INK, _CUT, _ACTED = "#4a5568", "#a0aec0", "#c05621"


def draw(
    graph: Any,
    ax: Any = None,
    *,
    positions: Positions | str | None = None,
    colours: Mapping[Node, str] | None = None,
    edge_colours: Mapping[Edge, str] | None = None,
    labels: Mapping[Node, str] | None = None,
    do: Any = (),
    node_size: float = 26.0,
    font_size: float = 10.0,
) -> Any:
    """Draw a graph and return the axes (plotting.04).

    Parameters
    ----------
    graph : Graph, or model with a graph
        What to draw: a graph, or anything that has one as ``graph``, ``graph_`` or ``to_graph()``.
        Nodes are as wide as their names, factors are squares, bidirected edges dashed and curved;
        open marks are small circles.
    ax : matplotlib axes, optional
        Where to; the current axes by default.
    positions : mapping of node to (x, y), or str, optional
        Places, or the name of a layout ("layered", "circular", "spring").
    colours : mapping of node to colour, optional
        Fill of some nodes.
    edge_colours : mapping of edge to colour, optional
        Colour of some edges, spelt in either direction.
    labels : mapping of node to str, optional
        What to write instead of the name.
    do : node or collection of nodes
        Nodes set by intervention: they get a heavy outline, and the edges with an arrowhead at
        them, which no longer act, are pale and dotted.
    node_size, font_size : float
        Least diameter of a node and height of the letters, in points.

    Returns
    -------
    matplotlib axes
        With equal scales and no frame.
    """
    plt = extra("matplotlib.pyplot", "draw")
    axes = plt.gca() if ax is None else ax
    shown = drawable("draw", graph)
    places = positions if isinstance(positions, Mapping) else layout(shown, positions)
    acted = set(shown.members(do))
    squares = set(shown.squares)
    names = {n: (labels or {}).get(n, "" if n in squares else str(n)) for n in shown.nodes}
    outlines = {n: outline(names[n], font_size, node_size, n in squares) for n in shown.nodes}
    for a, b, kind in shown.links():
        near, far = _ENDS[kind]
        cut = (far == ">" and b in acted) or (near == "<" and a in acted)
        colour = _either(edge_colours or {}, a, b, _CUT if cut else _INK)
        _edge(axes, (places[a], places[b]), (outlines[a], outlines[b]), kind, colour, cut)
    for node in shown.nodes:
        fill = (colours or {}).get(node, "#2d3748" if node in squares else "#e8eef7")
        axes.plot(
            *places[node],
            marker=outlines[node].marker(),
            ms=outlines[node].width,
            mfc=fill,
            mec=_ACTED if node in acted else "#2d3748",
            mew=2.6 if node in acted else 1.2,
            clip_on=False,
            zorder=3,
        )
        middle = {"ha": "center", "va": "center", "fontsize": font_size}
        axes.annotate(names[node], places[node], zorder=4, **middle)
    axes.set_aspect("equal")
    axes.margins(0.2)
    axes.axis("off")
    return axes


def _edge(
    axes: Any,
    ends: tuple[tuple[float, float], tuple[float, float]],
    outlines: tuple[Outline, Outline],
    kind: Kind,
    colour: str,
    cut: bool,
) -> None:
    (xa, ya), (xb, yb) = ends
    way = (xb - xa, yb - ya)
    near, far = _ENDS[kind]
    room = {"": 0.0, "<": 1.0, ">": 1.0, "o": _CIRCLE}
    line = "--" if kind == "bidirected" else "-"
    if near == "o":
        _circle(axes, ends[0], way, outlines[0].reach(*way), colour)
    if far == "o":
        _circle(axes, ends[1], (-way[0], -way[1]), outlines[1].reach(*way), colour)
    axes.annotate(
        "",
        xy=ends[1],
        xytext=ends[0],
        arrowprops={
            "arrowstyle": _STYLES[near == "<", far == ">"],
            "color": colour,
            "lw": 1.5,
            "mutation_scale": 14,
            "shrinkA": outlines[0].reach(*way) + room[near],
            "shrinkB": outlines[1].reach(*way) + room[far],
            "connectionstyle": "arc3,rad=0.25" if kind == "bidirected" else "arc3",
            "linestyle": ":" if cut else line,
        },
    )


def _circle(
    axes: Any, centre: tuple[float, float], way: tuple[float, float], reach: float, colour: str
) -> None:
    """An open mark just outside the outline of a node, towards the other end."""
    from matplotlib.transforms import offset_copy

    step = (reach + _CIRCLE / 2) / max(math.hypot(*way), 1e-300)
    beside = offset_copy(
        axes.transData, axes.figure, x=way[0] * step, y=way[1] * step, units="points"
    )
    axes.plot(
        *centre,
        marker="o",
        ms=_CIRCLE - 1.5,
        mfc="white",
        mec=colour,
        mew=1.5,
        transform=beside,
        clip_on=False,
        zorder=2.5,
    )


def _either(colours: Mapping[Edge, str], a: Node, b: Node, default: str) -> str:
    return colours.get((a, b), colours.get((b, a), default))
