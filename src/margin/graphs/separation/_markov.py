"""Global, local and pairwise Markov properties, checked against an oracle."""

from collections.abc import Iterator
from typing import Literal

from margin.graphs.bits import _sets
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._independence import Independence, Oracle, independences

Property = Literal["global", "local", "pairwise"]


def markov_statements(
    graph: DAG | UndirectedGraph, kind: Property = "local"
) -> Iterator[Independence]:
    """Independences that one of the Markov properties asks for (graphs.15).

    Global: all of I(G). Local: a node is independent of its non-descendants given its parents (in
    an undirected graph: of the rest given its neighbours). Pairwise: two nodes that are not joined
    are independent given all other non-descendants of the first (given all other nodes).

    For a DAG the global and the local property hold together, in every distribution. In an
    undirected graph global implies local implies pairwise, and they are equivalent where the
    distribution is positive.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> [str(statement) for statement in markov_statements(chain)]
    ['c ⊥ a | b']
    >>> square = UndirectedGraph.from_edges(["ab", "bc", "cd", "da"])
    >>> [str(statement) for statement in markov_statements(square, "pairwise")]
    ['a ⊥ c | b, d', 'b ⊥ d | a, c']
    """
    if kind == "global":
        return independences(graph)
    if kind == "local":
        return _local(graph)
    if kind == "pairwise":
        return _pairwise(graph)
    raise ValueError(
        f"markov_statements: kind must be one of 'global', 'local', 'pairwise', got {kind!r}"
    )


def _local(graph: DAG | UndirectedGraph) -> Iterator[Independence]:
    for i in range(len(graph)):
        given, rest = _surroundings(graph, i)
        if rest:
            yield Independence((graph.nodes[i],), graph.named(rest), graph.named(given))


def _pairwise(graph: DAG | UndirectedGraph) -> Iterator[Independence]:
    directed = isinstance(graph, DAG)
    for i in range(len(graph)):
        given, rest = _surroundings(graph, i)
        for j in _sets.members(rest if directed else rest >> i << i):
            others = (given | rest) & ~(1 << j)
            yield Independence((graph.nodes[i],), (graph.nodes[j],), graph.named(others))


def _surroundings(graph: DAG | UndirectedGraph, i: int) -> tuple[int, int]:
    """What screens a node off, and what it is screened off from."""
    every = (1 << len(graph)) - 1
    if isinstance(graph, DAG):
        below = _sets.closure(1 << i, graph._children)
        return graph._parents[i], every & ~below & ~graph._parents[i]
    return graph._neighbours[i], every & ~(1 << i) & ~graph._neighbours[i]


def markov_violations(
    graph: DAG | UndirectedGraph, oracle: Oracle, kind: Property = "local"
) -> Iterator[Independence]:
    """Statements of a Markov property that an oracle denies (graphs.15).

    Parameters
    ----------
    graph : DAG or UndirectedGraph
        Graph whose statements are checked.
    oracle : callable of three lists of nodes
        Whether the first two are independent given the third: a table, a graph, a test on data.
    kind : {"global", "local", "pairwise"}
        Which statements.

    Examples
    --------
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("a", "c"), ("b", "c")]))
    >>> [str(s) for s in markov_violations(DAG.from_edges([("a", "c"), ("c", "b")]), truth)]
    ['b ⊥ a | c']
    """
    for statement in markov_statements(graph, kind):
        if not oracle(list(statement.X), list(statement.Y), list(statement.given)):
            yield statement
