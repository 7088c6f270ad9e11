"""Independence maps of a distribution: I-map, minimal I-map, perfect map."""

from collections.abc import Iterable
from itertools import combinations

from margin.graphs._types import Node
from margin.graphs.equivalence._equivalence import cpdag, cpdag_from_colliders
from margin.graphs.equivalence._extension import extend_pdag
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._pdag import PDAG
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._independence import Oracle
from margin.graphs.separation._markov import Property, markov_violations
from margin.graphs.separation._separation import d_separated


def is_imap(graph: DAG | UndirectedGraph, oracle: Oracle, kind: Property | None = None) -> bool:
    """Whether everything the graph implies holds: I(G) is part of I(p) (graphs.15).

    Parameters
    ----------
    graph : DAG or UndirectedGraph
        Candidate.
    oracle : callable of three lists of nodes
        The independences of the distribution.
    kind : {"global", "local", "pairwise"}, optional
        Which statements to check: by default local for a DAG, where it is enough, and global for
        an undirected graph.

    Examples
    --------
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("a", "b"), ("b", "c")]))
    >>> is_imap(DAG.from_edges([("c", "b"), ("b", "a")]), truth)
    True
    >>> is_imap(DAG.from_edges([("a", "b"), ("c", "b")]), truth)
    False
    """
    chosen: Property = kind or ("local" if isinstance(graph, DAG) else "global")
    return next(markov_violations(graph, oracle, chosen), None) is None


def minimal_imap(oracle: Oracle, order: Iterable[Node]) -> DAG:
    """DAG that implies only what holds and loses that with any edge fewer (graphs.15).

    Each node gets, from those before it, a smallest set of parents that screens off the others.
    Different orders give different numbers of edges; a causal order gives few.

    Parameters
    ----------
    oracle : callable of three lists of nodes
        The independences of the distribution.
    order : iterable of nodes
        Parents come before their children.

    Examples
    --------
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("b", "alarm"), ("e", "alarm")]))
    >>> len(minimal_imap(truth, ["b", "e", "alarm"]).edges)
    2
    >>> len(minimal_imap(truth, ["alarm", "b", "e"]).edges)
    3
    """
    nodes = tuple(order)
    edges: list[tuple[Node, Node]] = []
    for at, node in enumerate(nodes):
        before = list(nodes[:at])
        parents = list(before)
        for candidate in before:
            fewer = [parent for parent in parents if parent != candidate]
            rest = [other for other in before if other not in fewer]
            if oracle([node], rest, fewer):
                parents = fewer
        edges += [(parent, node) for parent in parents]
    return DAG(nodes, edges)


def minimal_markov_network(oracle: Oracle, nodes: Iterable[Node]) -> UndirectedGraph:
    """Undirected graph that joins nodes which are dependent given all others (graphs.15).

    For a positive distribution this is its only minimal undirected I-map.

    Examples
    --------
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("a", "c"), ("b", "c")]))
    >>> minimal_markov_network(truth, ["a", "b", "c"]).edges
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    names = tuple(nodes)
    joined = [
        (a, b)
        for a, b in combinations(names, 2)
        if not oracle([a], [b], [other for other in names if other not in (a, b)])
    ]
    return UndirectedGraph(names, joined)


def perfect_map(oracle: Oracle, nodes: Iterable[Node]) -> PDAG | None:
    """Equivalence class of the DAGs that imply exactly what holds, I(G) = I(p) (graphs.15).

    The skeleton joins nodes that no set separates; the sets that do tell which triples collide; the
    rest follows. The result is then checked statement by statement.

    Parameters
    ----------
    oracle : callable of three lists of nodes
        The independences of the distribution.
    nodes : iterable of nodes
        Variables.

    Returns
    -------
    PDAG or None
        The CPDAG, or None when no DAG is a perfect map (exclusive or, for example).

    Notes
    -----
    Asks about every pair given every set of others: for up to a dozen nodes.

    Examples
    --------
    >>> from margin.graphs import separation_oracle
    >>> truth = separation_oracle(DAG.from_edges([("a", "c"), ("b", "c"), ("c", "d")]))
    >>> perfect_map(truth, ["a", "b", "c", "d"]).directed
    (('a', 'c'), ('b', 'c'), ('c', 'd'))
    """
    names = tuple(nodes)
    if len(names) > 16:
        raise ValueError(f"perfect_map: nodes must be at most 16, got {len(names)}")
    separators: dict[tuple[Node, Node], tuple[Node, ...]] = {}
    statements: list[tuple[Node, Node, tuple[Node, ...]]] = []
    for a, b in combinations(names, 2):
        others = [node for node in names if node not in (a, b)]
        for size in range(len(others) + 1):
            for given in combinations(others, size):
                if oracle([a], [b], list(given)):
                    separators.setdefault((a, b), given)
                    statements.append((a, b, given))
    skeleton = UndirectedGraph(
        names, [pair for pair in combinations(names, 2) if pair not in separators]
    )
    dag = _consistent_dag(skeleton, separators)
    if dag is None or not is_imap(dag, oracle):
        return None
    if not all(d_separated(dag, [a], [b], list(given)) for a, b, given in statements):
        return None
    return cpdag(dag)


def _consistent_dag(
    skeleton: UndirectedGraph, separators: dict[tuple[Node, Node], tuple[Node, ...]]
) -> DAG | None:
    colliders = [
        (a, middle, b)
        for (a, b), given in separators.items()
        for middle in skeleton.nodes
        if middle not in given and skeleton.has_edge(a, middle) and skeleton.has_edge(b, middle)
    ]
    graph = cpdag_from_colliders(skeleton, colliders)
    return None if graph is None else extend_pdag(graph)
