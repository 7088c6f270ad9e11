"""From a graph and the names of treatment and outcome to what has to be adjusted for."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from margin.causal.effects._graphs import graph_of
from margin.causal.graph._as_graph import CausalClass
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.identification._adjustment import minimal_adjustment_set
from margin.causal.identification._estimand import Estimand
from margin.causal.identification._identify import identify
from margin.causal.identification._other_doors import instruments
from margin.causal.methods._plug_in import formula_columns
from margin.core import check
from margin.graphs import PAG, PDAG

Names = tuple[Hashable, ...]


@dataclass(frozen=True, eq=False)
class Question:
    """Covariates, mediators and the method that suits them.

    Of a general formula ``covariates`` are all of its variables but treatment and outcome.
    """

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
    owner: str, graph: Any, treatment: Names, outcome: Names, adjustment: Any, mediators: Any,
    way: str = "auto",
) -> Question:  # fmt: skip
    """What to adjust for; refused with the reason where the effect cannot be had.

    Parameters
    ----------
    way : {"auto", "backdoor", "frontdoor", "general"}
        What the method can make use of.

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
    both = {*chosen, *through} & {*treatment, *outcome} or set(chosen) & set(through)
    if both:
        need = "without treatment, outcome and mediators"
        raise check.fail(owner, "adjustment", need, sorted(map(str, both)))
    if through and way not in ("auto", "frontdoor"):
        raise check.fail(owner, "mediators", "left out for this method", mediators)
    if graph is None:
        if way == "general":
            raise check.fail(owner, "graph", "given, for a formula", None)
        return Question(chosen, through, "frontdoor" if through else "backdoor")
    held = graph_of(owner, graph)
    for name in (*treatment, *outcome, *chosen, *through):
        if name not in held:
            raise check.fail(owner, "graph", f"with a node {name!r}", held.nodes)
    if not isinstance(held, PDAG | PAG) and set(treatment) & set(held.descendants(outcome)):
        raise check.fail(
            owner, "outcome", "not a cause of the treatment (the graph has the arrows the other "
            "way)", outcome[0],
        )  # fmt: skip
    if through:
        _refuse_open_doors(owner, held, treatment, outcome, through, chosen)
        return Question(chosen, through, "frontdoor")
    return _posed(_identified(owner, held, treatment, outcome, adjustment, way), owner, way)


def _identified(
    owner: str, graph: CausalClass, treatment: Names, outcome: Names, adjustment: Any, way: str
) -> Estimand:
    """The formula of the graph, or of all graphs of a class."""
    known = isinstance(graph, CausalGraph)
    method = way if known and adjustment is None and way != "backdoor" else "auto"
    try:
        estimand = identify(graph, treatment, outcome, adjustment=adjustment, method=method)
        if known or estimand.kind != "general":
            return estimand
        # Nothing leads from the treatment to the outcome: covariates should leave no effect.
        covariates = minimal_adjustment_set(graph, treatment, outcome)
        if covariates is None:
            need = "a possible effect of the treatment in some graph of the class"
            raise check.fail(owner, "outcome", need, outcome[0])
        return identify(graph, treatment, outcome, adjustment=covariates)
    except ValueError as error:
        first, _, rest = str(error).partition(": ")
        known_first = first in ("identify", "adjustment")
        raise ValueError(f"{owner}: {rest}" if known_first else str(error)) from None


def _posed(estimand: Estimand, owner: str, way: str) -> Question:
    """Covariates and mediators of a formula; refused where the method cannot make use of it."""
    if not estimand.identifiable:
        raise ValueError(f"{owner}: {_why_not(estimand)}")
    if way == "backdoor" and estimand.kind != "backdoor":
        fitting = "'frontdoor'" if estimand.kind == "frontdoor" else "'plugin'"
        raise ValueError(
            f"{owner}: method must be 'auto' or {fitting}: no covariates suffice, but "
            f"{estimand.effect} = {estimand.formula()}"
        )
    if way == "general" or estimand.kind == "general":
        return Question(formula_columns(estimand), (), "general", estimand)
    if estimand.kind == "frontdoor":
        return Question((), estimand.adjustment, "frontdoor", estimand)
    return Question(estimand.adjustment, (), "backdoor", estimand)


def _refuse_open_doors(
    owner: str, graph: CausalClass, x: Names, y: Names, through: Names, given: Names
) -> None:
    """A front door with covariates, in one graph."""
    if not isinstance(graph, CausalGraph):
        raise check.fail(owner, "mediators", "left out for a class of graphs", through)
    rest = graph.subgraph([node for node in graph.nodes if node not in through])
    fine = (
        not set(rest.descendants(x)) & set(y)
        and not set(given) & set(graph.descendants(x))
        and graph.without_outgoing(x).separated(x, through, given)
        and graph.without_outgoing(through).separated(through, y, (*x, *given))
    )
    if not fine:
        need = "a front door: all paths of the effect, and no others that are open"
        raise check.fail(owner, "mediators", need, through)


def _listed(given: Any) -> Names:
    return tuple(given) if isinstance(given, list | tuple | set | frozenset) else (given,)


def _why_not(estimand: Estimand) -> str:
    if not isinstance(estimand.graph, CausalGraph):
        return estimand.explain()
    usable = next(iter(instruments(estimand.graph, estimand.treatment, estimand.outcome)), None)
    hint = f" There is an instrument, {usable[0]!r}: InstrumentalVariables." if usable else ""
    return estimand.explain() + hint
