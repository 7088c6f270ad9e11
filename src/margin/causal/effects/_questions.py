"""From a graph and the names of treatment and outcome to what has to be adjusted for."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.identification._estimand import Estimand
from margin.causal.identification._identify import identify
from margin.causal.identification._other_doors import instruments
from margin.core import check

Names = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """Covariates, mediators and the method that suits them."""

    covariates: Names = ()
    mediators: Names = ()
    method: str = "backdoor"
    estimand: Estimand | None = None


def as_names(owner: object, parameter: str, given: Any) -> Names:
    """One name, or several, as a tuple.

    Examples
    --------
    >>> as_names("AverageEffect", "treatment", "x"), as_names("AverageEffect", "t", ["a", "b"])
    (('x',), ('a', 'b'))
    """
    if given is None:
        raise check.fail(owner, parameter, "the name of a column", given)
    names = tuple(given) if isinstance(given, list | tuple | set | frozenset) else (given,)
    if not names or len(set(names)) < len(names):
        raise check.fail(owner, parameter, "names that differ", given)
    return names


def question(
    owner: str, graph: Any, treatment: Names, outcome: Names, adjustment: Any, mediators: Any
) -> Question:
    """What to adjust for; refused with the reason where the effect cannot be had.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
    >>> question("AverageEffect", graph, ("x",), ("y",), None, None).covariates
    ('z',)
    """
    if set(treatment) & set(outcome):
        raise check.fail(owner, "outcome", "another column than the treatment", outcome[0])
    chosen = () if adjustment is None else _listed(adjustment)
    through = () if mediators is None else _listed(mediators)
    shared = (set(chosen) | set(through)) & {*treatment, *outcome}
    if shared:
        raise check.fail(
            owner, "adjustment", "without treatment and outcome", sorted(map(str, shared))
        )
    if graph is None:
        return Question(chosen, through, "frontdoor" if through else "backdoor")
    graph = _as_graph(owner, graph)
    for name in (*treatment, *outcome, *chosen, *through):
        if name not in graph:
            raise check.fail(owner, "graph", f"with a node {name!r}", graph.nodes)
    if set(treatment) & set(graph.descendants(outcome)):
        raise check.fail(
            owner, "outcome", "not a cause of the treatment (the graph has the arrows the other "
            "way)", outcome[0],
        )  # fmt: skip
    if through:
        return Question(chosen, through, "frontdoor")
    try:
        found = identify(graph, treatment, outcome, adjustment=adjustment)
    except ValueError as error:
        raise ValueError(str(error).replace("identify", owner, 1)) from None
    if found.kind == "backdoor":
        return Question(found.adjustment, (), "backdoor", found)
    if found.kind == "frontdoor":
        return Question((), found.adjustment, "frontdoor", found)
    raise ValueError(f"{owner}: {_why_not(graph, treatment, outcome, found)}")


def _listed(given: Any) -> Names:
    return tuple(given) if isinstance(given, list | tuple | set | frozenset) else (given,)


def _as_graph(owner: str, graph: Any) -> CausalGraph:
    if isinstance(graph, CausalGraph):
        return graph
    if isinstance(graph, str):
        return CausalGraph.from_dagitty(graph)
    if hasattr(graph, "nodes") and hasattr(graph, "edges"):
        return CausalGraph(list(graph.nodes), list(graph.edges))
    try:
        return CausalGraph.from_edges([tuple(edge) for edge in graph])
    except TypeError:
        raise check.fail(owner, "graph", "a CausalGraph, arrows or dagitty's text", graph) from None


def _why_not(graph: CausalGraph, treatment: Names, outcome: Names, found: Estimand) -> str:
    if found.identifiable:
        return (
            f"{found.effect} needs neither adjustment nor a front door but {found.formula()}; "
            "evaluate it by identify(…).evaluate(frame)"
        )
    usable = next(iter(instruments(graph, treatment, outcome)), None)
    hint = f" There is an instrument, {usable[0]!r}: InstrumentalVariables." if usable else ""
    return found.explain() + hint
