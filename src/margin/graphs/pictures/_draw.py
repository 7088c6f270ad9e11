"""Pictures of graphs, with matplotlib."""

from collections.abc import Mapping
from typing import Any

from margin.graphs.kinds._factor_graph import FactorGraph
from margin.graphs.kinds._graph import Graph, Node
from margin.graphs.pictures._layout import Positions, layout

_ARROWS = {"directed": "-|>", "undirected": "-", "bidirected": "<|-|>"}


def draw(
    graph: Graph,
    ax: Any = None,
    *,
    positions: Positions | str | None = None,
    colours: Mapping[Node, str] | None = None,
    edge_colours: Mapping[tuple[Node, Node], str] | None = None,
    labels: Mapping[Node, str] | None = None,
    node_size: float = 26.0,
    font_size: float = 10.0,
) -> Any:
    """Draw a graph and return the axes (plotting.04).

    Parameters
    ----------
    graph : Graph
        What to draw. Factors are squares, bidirected edges dashed and curved.
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
    node_size, font_size : float
        Diameter of a node and height of the letters, in points.

    Returns
    -------
    matplotlib axes
        With equal scales and no frame.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("draw needs matplotlib: pip install 'margin[plot]'") from None
    axes = plt.gca() if ax is None else ax
    places = positions if isinstance(positions, Mapping) else layout(graph, positions)
    for a, b, kind in graph.links():
        colour = _either(edge_colours or {}, a, b, "#4a5568")
        axes.annotate(
            "",
            xy=places[b],
            xytext=places[a],
            arrowprops={
                "arrowstyle": _ARROWS[kind],
                "color": colour,
                "lw": 1.5,
                "mutation_scale": 14,
                "shrinkA": node_size / 2,
                "shrinkB": node_size / 2 + (1 if kind != "undirected" else 0),
                "connectionstyle": "arc3,rad=0.25" if kind == "bidirected" else "arc3",
                "linestyle": "--" if kind == "bidirected" else "-",
            },
        )
    for node in graph.nodes:
        square = isinstance(graph, FactorGraph) and node in graph.factors
        x, y = places[node]
        axes.plot(
            x,
            y,
            "s" if square else "o",
            ms=node_size * (0.6 if square else 1.0),
            mfc=(colours or {}).get(node, "#2d3748" if square else "#e8eef7"),
            mec="#2d3748",
            mew=1.2,
            clip_on=False,
            zorder=3,
        )
        text = (labels or {}).get(node, "" if square else str(node))
        axes.annotate(text, (x, y), ha="center", va="center", fontsize=font_size, zorder=4)
    axes.set_aspect("equal")
    axes.margins(0.2)
    axes.axis("off")
    return axes


def _either(colours: Mapping[tuple[Node, Node], str], a: Node, b: Node, default: str) -> str:
    return colours.get((a, b), colours.get((b, a), default))
