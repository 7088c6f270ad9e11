"""Graphs in Graphviz's language."""

from typing import Any

from margin.graphs._types import Node
from margin.graphs.pictures._drawable import drawable, has_arrows

_MARKS = {
    "directed": "",
    "undirected": " [dir=none]",
    "bidirected": " [dir=both, style=dashed]",
    "circle-arrow": " [dir=both, arrowtail=odot]",
    "circle-circle": " [dir=both, arrowtail=odot, arrowhead=odot]",
    "circle-tail": " [dir=both, arrowtail=odot, arrowhead=none]",
}


def dot(graph: Any, name: str = "G") -> str:
    r"""Text that Graphviz's ``dot`` draws.

    Names are quoted, so that anything may stand in them. Nodes are numbered in the text and named
    by their labels: two nodes that print alike stay two.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> print(dot(DAG.from_edges([("rain", "wet")])))
    digraph "G" {
      n0 [label="rain"];
      n1 [label="wet"];
      n0 -> n1;
    }
    """
    graph = drawable("dot", graph)
    plain, boxes = not has_arrows(graph), set(graph.squares)
    lines = [f"{'graph' if plain else 'digraph'} {_quoted(name)} {{"]
    for i, node in enumerate(graph.nodes):
        shape = ", shape=box" if node in boxes else ""
        lines.append(f"  n{i} [label={_quoted(node)}{shape}];")
    for a, b, kind in graph.links():
        arrow = "--" if plain else "->"
        mark = "" if plain else _MARKS[kind]
        lines.append(f"  n{graph.index(a)} {arrow} n{graph.index(b)}{mark};")
    return "\n".join([*lines, "}"])


def _quoted(name: Node) -> str:
    text = str(name).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
