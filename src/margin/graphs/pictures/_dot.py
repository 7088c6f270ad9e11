"""Graphs in Graphviz's language."""

from margin.graphs.kinds._factor_graph import FactorGraph
from margin.graphs.kinds._graph import Graph, Node
from margin.graphs.kinds._undirected import UndirectedGraph

_MARKS = {
    "directed": "",
    "undirected": " [dir=none]",
    "bidirected": " [dir=both, style=dashed]",
}


def dot(graph: Graph, name: str = "G") -> str:
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
    plain = isinstance(graph, UndirectedGraph | FactorGraph)
    lines = [f"{'graph' if plain else 'digraph'} {_quoted(name)} {{"]
    for i, node in enumerate(graph.nodes):
        box = isinstance(graph, FactorGraph) and node in graph.factors
        shape = ", shape=box" if box else ""
        lines.append(f"  n{i} [label={_quoted(node)}{shape}];")
    for a, b, kind in graph.links():
        arrow = "--" if plain else "->"
        mark = "" if plain else _MARKS[kind]
        lines.append(f"  n{graph.index(a)} {arrow} n{graph.index(b)}{mark};")
    return "\n".join([*lines, "}"])


def _quoted(name: Node) -> str:
    text = str(name).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
