"""The back doors of a graph, or of a whole class of graphs that the data cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from margin.causal.graph._as_graph import CausalClass, causal_class
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.core import check
from margin.graphs import PAG, PDAG, Graph, extend_pdag, mag_of_pag, visible_edges

Sets = tuple[Node, ...]


@dataclass(frozen=True)
class BackDoors:
    """What stands between a treatment and an outcome besides the effect.

    Parameters
    ----------
    graph : CausalGraph
        The graph, or one of its class, less the first arrows of all causal paths.
    on_paths : tuple of nodes
        Nodes on causal paths, without the treatments.
    forbidden : tuple of nodes
        Those and whatever they may cause.
    obstacle : tuple of nodes
        An edge from a treatment that may, but need not, begin a causal path: no set of covariates
        is then valid in all graphs of the class.
    """

    graph: CausalGraph
    on_paths: Sets
    forbidden: Sets
    obstacle: Sets = ()


def back_doors(graph: CausalClass, treatment: Any, outcome: Any) -> BackDoors:
    """Of a causal graph; of all DAGs that a PDAG stands for; of all graphs of a PAG."""
    graph = causal_class("adjustment", graph)
    if isinstance(graph, CausalGraph):
        return _of_graph(graph, treatment, outcome)
    if isinstance(graph, PDAG):
        return _of_pdag(graph, treatment, outcome)
    return _of_pag(graph, treatment, outcome)


def causal_nodes(graph: CausalGraph, treatment: Any, outcome: Any) -> Sets:
    """Nodes on directed paths from treatment to outcome that leave the treatment for good."""
    x, y = set(graph.members(treatment)), graph.members(outcome)
    # Paths must not come back to a treatment, so those are cut away from above.
    below = set(graph.do(treatment).descendants(treatment))
    after = graph.subgraph([node for node in graph.nodes if node not in x])
    above = set(after.ancestors([node for node in y if node in after])) | set(y)
    return tuple(node for node in graph.nodes if node in below & above and node not in x)


def _of_graph(graph: CausalGraph, treatment: Any, outcome: Any) -> BackDoors:
    x = set(graph.members(treatment))
    on_paths = causal_nodes(graph, treatment, outcome)
    below = set(graph.descendants(on_paths)) if on_paths else set()
    forbidden = tuple(n for n in graph.nodes if n in below | set(on_paths) and n not in x)
    return BackDoors(_cut(graph, x, on_paths), on_paths, forbidden)


def _cut(graph: CausalGraph, x: set[Node], on_paths: Sets) -> CausalGraph:
    arrows = [(a, b) for a, b in graph.directed if not (a in x and b in on_paths)]
    return CausalGraph(graph.nodes, arrows, graph.bidirected)


def _of_pdag(graph: PDAG, treatment: Any, outcome: Any) -> BackDoors:
    """Perković et al. (2017): paths without an arrow from a later to an earlier node."""
    member = extend_pdag(graph)
    if member is None:
        wanted = "a PDAG that some DAG extends without new v-structures"
        raise check.fail("adjustment", "graph", wanted, graph)
    x, y = set(graph.members(treatment)), set(graph.members(outcome))
    steps = {n: {*graph.children(n), *graph.neighbours(n)} for n in graph.nodes}
    on_paths, forbidden = _uncovered_paths(graph, steps, x, y)
    before = _reached({n: _behind(steps, n) for n in steps}, y - x, x)
    obstacle = next(
        (
            (a, b)
            for a in graph.nodes
            if a in x
            for b in graph.neighbours(a)
            if b not in x and _may_cause(graph, steps, (a, b), x, y, before)
        ),
        (),
    )
    full = CausalGraph(member.nodes, member.edges)
    return BackDoors(_cut(full, x, on_paths), on_paths, forbidden, obstacle)


def _of_pag(graph: PAG, treatment: Any, outcome: Any) -> BackDoors:
    """Perković et al. (2018): causal paths begin with edges that nothing hidden is behind."""
    if any(kind in ("undirected", "circle-tail") for _, _, kind in graph.links()):
        wanted = "without edges --- and o-- (rows selected by what the variables cause)"
        raise check.fail("adjustment", "graph", wanted, str(graph))
    mag = mag_of_pag(graph)
    x, y = set(graph.members(treatment)), set(graph.members(outcome))
    clear = set(visible_edges(graph))
    steps: dict[Node, set[Node]] = {n: set() for n in graph.nodes}
    for a, b, kind in graph.links():
        if kind != "bidirected":
            steps[a].add(b)
        if kind == "circle-circle":
            steps[b].add(a)
    on_paths, forbidden = _possible(graph, steps, x, y)
    obstacle = next(
        (
            (a, b)
            for a in graph.nodes
            if a in x
            for b in graph.nodes
            if b in steps[a] and b in on_paths and (a, b) not in clear
        ),
        (),
    )
    full = CausalGraph(mag.nodes, mag.directed, mag.bidirected)
    return BackDoors(_cut(full, x, on_paths), on_paths, forbidden, obstacle)


def _possible(
    graph: Graph, steps: dict[Node, set[Node]], x: set[Node], y: set[Node]
) -> tuple[Sets, Sets]:
    """Nodes on paths that may be causal, and what these may cause."""
    behind = {n: _behind(steps, n) for n in steps}
    first = {b for a in x for b in steps[a]} - x
    on_paths = _reached(steps, first, x) & _reached(behind, y - x, x)
    below = _reached(steps, on_paths, x)
    return tuple(n for n in graph.nodes if n in on_paths), tuple(
        n for n in graph.nodes if n in below
    )


def _uncovered_paths(
    graph: PDAG, steps: dict[Node, set[Node]], x: set[Node], y: set[Node]
) -> tuple[Sets, Sets]:
    """The same by paths on which no two nodes that are two steps apart are joined.

    Where such a path may be causal its edges tell; with background knowledge not all others do.
    Without an obstacle, paths to the outcome begin with an arrow, and go on by arrows.
    """
    ahead = {n: _uncovered(graph, steps, n, x) for n in graph.nodes}
    beyond = {n: _uncovered(graph, steps, n, set()) for n in graph.nodes}
    only = {n: {b for b in steps[n] if n not in x or b in graph.children(n)} for n in graph.nodes}
    reached = {n for a in x for n in _uncovered(graph, only, a, x)}
    on_paths = {n for n in reached if n in y or ahead[n] & y}
    below = on_paths | {n for a in on_paths for n in beyond[a]}
    listed = [tuple(n for n in graph.nodes if n in group) for group in (on_paths, below)]
    return listed[0], listed[1]


def _uncovered(
    graph: PDAG, steps: dict[Node, set[Node]], start: Node, barred: set[Node]
) -> set[Node]:
    waiting = [(start, n) for n in steps[start] - barred]
    seen = set(waiting)
    while waiting:
        before, node = waiting.pop()
        joined = {before, *graph.adjacent(before)}
        fresh = {(node, n) for n in steps[node] - barred - joined} - seen
        seen |= fresh
        waiting.extend(fresh)
    return {n for _, n in seen}


def _behind(steps: dict[Node, set[Node]], node: Node) -> set[Node]:
    return {n for n, ahead in steps.items() if node in ahead}


def _reached(steps: dict[Node, set[Node]], start: set[Node], barred: set[Node]) -> set[Node]:
    reached, waiting = set(start), list(start)
    while waiting:
        fresh = steps[waiting.pop()] - reached - barred
        reached |= fresh
        waiting.extend(fresh)
    return reached


def _may_cause(
    graph: PDAG,
    steps: dict[Node, set[Node]],
    path: Sets,
    x: set[Node],
    y: set[Node],
    before: set[Node],
) -> bool:
    """Whether a path that begins so leads to the outcome in some DAG of the class.

    No arrow leads from a later to an earlier node. In a CPDAG the first walk that is tried gets
    there; with background knowledge some may have to be given up.
    """
    last = path[-1]
    if last not in before or set(graph.children(last)) & set(path):
        return False
    if last in y:
        return True
    return any(
        _may_cause(graph, steps, (*path, n), x, y, before)
        for n in graph.nodes
        if n in steps[last] and n not in x and n not in path
    )
