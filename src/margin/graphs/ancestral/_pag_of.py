"""From a maximal ancestral graph to its equivalence class, and back to a member."""

from typing import Any

from margin.core import check
from margin.graphs._types import Kind, Node
from margin.graphs.ancestral._discriminating import visible
from margin.graphs.ancestral._mag import is_maximal_ancestral, maximal_ancestral_graph
from margin.graphs.ancestral._marks import Marks
from margin.graphs.ancestral._rules import Rules
from margin.graphs.equivalence._extension import extend_pdag
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._mixed import MixedGraph
from margin.graphs.kinds._pag import PAG
from margin.graphs.kinds._pdag import PDAG

Link = tuple[Node, Node, Kind]


def pag(graph: DAG | MixedGraph, latent: Any = (), selection: Any = ()) -> PAG:
    """Partial ancestral graph of the Markov equivalence class (graphs.14).

    A tail or an arrowhead of the result stands in every maximal ancestral graph of the class; for
    an open mark, both occur.

    Parameters
    ----------
    graph : DAG or MixedGraph
        A maximal ancestral graph, or a graph over more variables than are seen.
    latent, selection : node or collection of nodes
        As in :func:`maximal_ancestral_graph`.

    Notes
    -----
    Arrowheads of unshielded colliders, and what follows from them by the rules of Zhang (2008):
    polynomial in the number of nodes.

    References
    ----------
    J. Zhang, "On the completeness of orientation rules for causal discovery in the presence of
    latent confounders and selection bias", Artificial Intelligence 172 (2008).

    Examples
    --------
    >>> print(pag(DAG([("u", "x"), ("u", "y"), ("a", "x"), ("b", "y")]), latent="u"))
    x <-> y
    a o-> x
    b o-> y
    """
    mag = maximal_ancestral_graph(graph, latent, selection) if isinstance(graph, DAG) else graph
    if isinstance(graph, MixedGraph) and (
        graph.members(latent) or graph.members(selection) or not is_maximal_ancestral(graph)
    ):
        mag = maximal_ancestral_graph(graph, latent, selection)
    truth = Marks.of(mag)
    marks = Marks.open(truth.joined())
    for i, k, j in truth.unshielded():
        if truth.heads[k] >> i & 1 and truth.heads[k] >> j & 1:
            marks.set_heads(k, 1 << i | 1 << j)

    def decide(paths: list[tuple[int, ...]]) -> bool:
        return bool(truth.heads[paths[0][-2]] >> paths[0][-1] & 1)

    Rules(decide).close(marks)
    return marks.graph(mag.nodes)


def mags_equivalent(first: MixedGraph, second: MixedGraph) -> bool:
    """Whether two maximal ancestral graphs imply the same independences (graphs.13).

    Examples
    --------
    >>> fork = MixedGraph([*"abc"], [("b", "c")], [("a", "b")])
    >>> mags_equivalent(fork, MixedGraph([*"abc"], [("b", "a"), ("c", "b")]))
    True
    >>> mags_equivalent(fork, MixedGraph([*"abc"], bidirected=[("a", "b"), ("b", "c")]))
    False
    """
    for name, graph in (("first", first), ("second", second)):
        if not (isinstance(graph, MixedGraph) and is_maximal_ancestral(graph)):
            raise check.fail("mags_equivalent", name, "a maximal ancestral graph", graph)
    return pag(first) == pag(second)


def mag_of_pag(graph: PAG) -> MixedGraph:
    """A maximal ancestral graph of the class: open marks become tails, ``o-o`` a DAG.

    Raises
    ------
    ValueError
        If the graph is no PAG of a class, as can come out of contradictory tests.

    Examples
    --------
    >>> mag_of_pag(PAG(["a o-> c", "b o-> c", "c --> d"])).directed
    (('a', 'c'), ('c', 'd'), ('b', 'c'))
    """
    settled: dict[Kind, Kind] = {"circle-arrow": "directed", "circle-tail": "undirected"}
    links = [(a, b, settled.get(kind, kind)) for a, b, kind in graph.links()]
    open_edges = [(a, b) for a, b, kind in links if kind == "circle-circle"]
    whole = extend_pdag(PDAG(graph.nodes, (), open_edges))
    try:
        arrows: list[Link] = [(a, b, "directed") for a, b in whole.edges] if whole else []
        rest = [link for link in links if link[2] != "circle-circle"]
        mag = MixedGraph._from_links(graph.nodes, rest + arrows)
    except ValueError:
        mag = None
    if mag is None or not is_maximal_ancestral(mag) or pag(mag) != graph:
        raise check.fail("mag_of_pag", "graph", "the PAG of an equivalence class", str(graph))
    return mag


def visible_edges(graph: PAG | MixedGraph) -> tuple[tuple[Node, Node], ...]:
    """Edges ``a --> b`` behind which no hidden common cause of a and b can stand.

    Examples
    --------
    >>> visible_edges(PAG(["a o-> c", "b o-> c", "c --> d"]))
    (('c', 'd'),)
    """
    marks = Marks.of(graph)
    joined, parents = marks.joined(), marks.parents()
    names = graph.nodes
    return tuple(
        (names[i], names[j])
        for i in range(len(names))
        for j in range(len(names))
        if parents[j] >> i & 1 and visible(marks, i, j, joined, parents)
    )
