"""Hidden variables folded into edges."""

from collections.abc import Iterable

from margin.causal.graph._types import Edge, Node
from margin.graphs import DAG, MixedGraph


def latent_projection(dag: DAG, latent: Iterable[Node]) -> MixedGraph:
    """What a causal graph says of the variables that are seen.

    ``a -> b`` where a directed path leads from ``a`` to ``b`` through hidden nodes only;
    ``a <-> b`` where a hidden node has such paths to both. The projection implies the same
    separations and the same effects among the seen.

    Parameters
    ----------
    dag : DAG
        All variables.
    latent : iterable of nodes
        Those that are hidden.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> full = DAG([("u", "x"), ("u", "m"), ("x", "m"), ("m", "y")])
    >>> graph = latent_projection(full, ["u", "m"])
    >>> graph.directed, graph.bidirected
    ((('x', 'y'),), (('x', 'y'),))
    """
    hidden = set(dag.members(list(latent)))
    seen = [node for node in dag.nodes if node not in hidden]
    reached = {node: _first_seen(dag, node, hidden) for node in dag.nodes}
    arrows: list[Edge] = [(node, child) for node in seen for child in reached[node]]
    pairs: dict[Edge, None] = {}
    place = {node: i for i, node in enumerate(dag.nodes)}
    for node in hidden:
        below = sorted(reached[node], key=place.__getitem__)
        for i, a in enumerate(below):
            pairs.update({(a, b): None for b in below[i + 1 :]})
    order = sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]]))
    return MixedGraph(seen, arrows, order)


def _first_seen(dag: DAG, node: Node, hidden: set[Node]) -> tuple[Node, ...]:
    """Seen nodes below a node with nothing seen in between."""
    reached: dict[Node, None] = {}
    waiting, met = list(dag.children(node)), set[Node]()
    while waiting:
        child = waiting.pop(0)
        if child in met:
            continue
        met.add(child)
        if child in hidden:
            waiting += dag.children(child)
        else:
            reached[child] = None
    return tuple(reached)
