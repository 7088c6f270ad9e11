"""All DAGs on a few nodes, all equivalence classes, all members of one class."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.equivalence._equivalence import cpdag
from margin.graphs.equivalence._extension import extend_pdag
from margin.graphs.equivalence._meek import close_orientations
from margin.graphs.kinds._checks import checked_nodes
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._pdag import PDAG

DAG_LIMIT = 6


def count_dags(n: int) -> int:
    r"""Number of DAGs on ``n`` labelled nodes (graphs.14), by Robinson's recurrence.

    :math:`a_n = \sum_{k=1}^n (-1)^{k+1} \binom nk 2^{k(n-k)} a_{n-k}`: the :math:`k` chosen nodes
    have no parents.

    Examples
    --------
    >>> [count_dags(n) for n in range(1, 6)]
    [1, 3, 25, 543, 29281]
    """
    counts = [1]
    for m in range(1, n + 1):
        terms = (
            (-1) ** (k + 1) * comb(m, k) * 2 ** (k * (m - k)) * counts[m - k]
            for k in range(1, m + 1)
        )
        counts.append(sum(terms))
    return counts[n]


def enumerate_dags(nodes: Iterable[Node] | int) -> Iterator[DAG]:
    """Every DAG on the given nodes, at most 6 of them (graphs.14).

    Examples
    --------
    >>> sum(1 for dag in enumerate_dags(3))
    25
    """
    names = tuple(checked_nodes("enumerate_dags", nodes))
    if len(names) > DAG_LIMIT:
        raise ValueError(
            f"enumerate_dags: nodes must be at most {DAG_LIMIT}, got {len(names)} "
            f"({count_dags(len(names))} graphs)"
        )
    pairs = list(combinations(range(len(names)), 2))

    def grow(at: int, below: list[int], edges: list[tuple[Node, Node]]) -> Iterator[DAG]:
        # below[i]: everything reached from i, itself included.
        if at == len(pairs):
            yield DAG(names, edges)
            return
        yield from grow(at + 1, below, edges)
        for tail, head in (pairs[at], pairs[at][::-1]):
            if not below[head] >> tail & 1:
                more = [b | below[head] if b >> tail & 1 else b for b in below]
                yield from grow(at + 1, more, [*edges, (names[tail], names[head])])

    yield from grow(0, [1 << i for i in range(len(names))], [])


def enumerate_cpdags(nodes: Iterable[Node] | int) -> Iterator[PDAG]:
    """Every Markov equivalence class on the given nodes, once, as its CPDAG (graphs.14).

    Examples
    --------
    >>> [sum(1 for graph in enumerate_cpdags(n)) for n in (1, 2, 3)]
    [1, 2, 11]
    """
    seen: set[PDAG] = set()
    for dag in enumerate_dags(nodes):
        graph = cpdag(dag)
        if graph not in seen:
            seen.add(graph)
            yield graph


def equivalence_class(graph: DAG | PDAG) -> Iterator[DAG]:
    """Every DAG of the Markov equivalence class of a DAG, or that a CPDAG stands for (graphs.14).

    With a PDAG that carries background knowledge (see :func:`orient`) only the members that agree
    with it. They come one at a time: a class can be as large as n factorial.

    Examples
    --------
    >>> chain = DAG.from_edges([("a", "b"), ("b", "c")])
    >>> [dag.edges for dag in equivalence_class(chain)]
    [(('a', 'b'), ('b', 'c')), (('b', 'a'), ('b', 'c')), (('b', 'a'), ('c', 'b'))]
    """
    start = cpdag(graph) if isinstance(graph, DAG) else graph
    if extend_pdag(start) is None:
        raise ValueError("equivalence_class: graph must have a DAG extension, got one with none")
    parents, neighbours = list(start._parents), list(start._neighbours)
    close_orientations(parents, neighbours)
    for rows in _oriented(parents, neighbours):
        names = start.nodes
        yield DAG(
            names,
            [(names[p], names[i]) for i, bits in enumerate(rows) for p in _sets.members(bits)],
        )


def _oriented(parents: list[int], neighbours: list[int]) -> Iterator[list[int]]:
    """Both directions of the first open edge, each with what follows from it."""
    a = next((i for i, bits in enumerate(neighbours) if bits), None)
    if a is None:
        yield parents
        return
    b = next(_sets.members(neighbours[a]))
    for tail, head in ((a, b), (b, a)):
        more, rest = list(parents), list(neighbours)
        rest[a] &= ~(1 << b)
        rest[b] &= ~(1 << a)
        more[head] |= 1 << tail
        close_orientations(more, rest)
        yield from _oriented(more, rest)
