"""How far a learnt graph is from the truth."""

from __future__ import annotations

from typing import Any

from margin.core import check
from margin.graphs import Graph


def structural_hamming_distance(truth: Graph, found: Graph) -> int:
    """Number of pairs of nodes that the two graphs do not join in the same way.

    A missing, an additional and a turned edge count one each, as does an edge of another kind.

    Parameters
    ----------
    truth, found : Graph
        Graphs over the same nodes, of whatever class; the order of the nodes does not matter.

    Examples
    --------
    >>> from margin.graphs import DAG, PDAG
    >>> truth = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> structural_hamming_distance(truth, PDAG(list("abc"), [("b", "a")], [("b", "c")]))
    2
    """
    if set(truth.nodes) != set(found.nodes):
        requirement = "a graph over the nodes of the truth"
        shown = sorted(map(str, set(truth.nodes) ^ set(found.nodes)))
        raise check.fail("structural_hamming_distance", "found", requirement, shown)
    first, second = _joints(truth), _joints(found)
    return sum(first.get(pair) != second.get(pair) for pair in first.keys() | second.keys())


def _joints(graph: Graph) -> dict[frozenset[Any], frozenset[Any]]:
    """For each joined pair, the heads of its arrows, or the kinds of its other edges."""
    joints: dict[frozenset[Any], frozenset[Any]] = {}
    for a, b, kind in graph.links():
        pair = frozenset((a, b))
        mark = ("directed", b) if kind == "directed" else (kind, None)
        joints[pair] = joints.get(pair, frozenset()) | {mark}
    return joints
