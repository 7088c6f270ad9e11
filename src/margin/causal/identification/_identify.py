"""From a graph and a question to a formula, or to the reason why there is none."""

from typing import Any

from margin.causal.graph._as_graph import CausalClass, causal_class
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.graph._types import Node
from margin.causal.identification._adjustment import (
    is_adjustment_set,
    minimal_adjustment_set,
    optimal_adjustment_set,
)
from margin.causal.identification._back_doors import back_doors
from margin.causal.identification._districts import Hedge, effect
from margin.causal.identification._estimand import Estimand, EstimandKind
from margin.causal.identification._expressions import (
    OBSERVED,
    Expression,
    Probability,
    Ratio,
    Source,
    product,
    total,
)
from margin.causal.identification._other_doors import minimal_front_door_set
from margin.causal.identification._rows import Rows
from margin.core import check
from margin.graphs import PAG, PDAG, Graph

Names = tuple[Node, ...]


def identify(
    graph: CausalClass,
    treatment: Any,
    outcome: Any,
    given: Any = (),
    *,
    adjustment: Any = None,
    method: str = "auto",
    experiments: Any = (),
) -> Estimand:
    r"""A formula for an effect over what can be observed (causal.17, causal.23, causal.25).

    Tried in turn: adjustment for covariates, which is complete for formulas of that kind; a front
    door; and the complete procedure by districts, which finds a formula wherever there is one. With
    ``given``, the law of the outcome among those who have these values *after* the treatment is
    set, by the complete procedure for conditional effects. ``experiments`` on other variables
    (z-identification) are used for those districts that observations do not give away.

    Parameters
    ----------
    graph : CausalGraph, DAG, networkx graph, arrows, text, or the PDAG or PAG of a class
        Of a class only adjustment is tried: one formula for all graphs of it.
    treatment, outcome, given : node or collection of nodes
        :math:`P(\text{outcome} \mid do(\text{treatment}), \text{given})`.
    adjustment : collection of nodes, optional
        Covariates to adjust for; refused if they do not suffice.
    method : {"auto", "backdoor", "frontdoor", "general"}
        One way only instead of the first that works.
    experiments : collection of collections of nodes
        Sets of variables that were assigned at random somewhere, each with all else observed:
        ``[["z"], ["z", "w"]]``. Kind "experiments" where the formula needs one.

    Returns
    -------
    Estimand
        With ``kind`` "none" and a hedge where no formula exists.

    Notes
    -----
    Every way takes polynomial time. A question against the arrows, whose treatment is an effect of
    the outcome and causes nothing of what is asked, is refused.

    References
    ----------
    J. Tian and J. Pearl, "A general identification condition for causal effects", AAAI 2002.
    I. Shpitser and J. Pearl, "Identification of conditional interventional distributions", UAI
    2006.
    S. Lee, J. Correa and E. Bareinboim, "General identifiability with arbitrary surrogate
    experiments", UAI 2019.

    Examples
    --------
    >>> from margin.causal import CausalGraph, identify
    >>> graph = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
    >>> identify(graph, "x", "y")
    Estimand(P(y | do(x)): Σ_{z} P(y | x, z) P(z))
    >>> print(identify(CausalGraph.from_edges([("x", "y")], [("x", "y")]), "x", "y").kind)
    none
    >>> from margin.graphs import PAG
    >>> identify(PAG(["x o-o z", "z o-o y"]), "x", "y").obstacle
    ('x', 'z')
    >>> hidden = CausalGraph.from_edges([("z", "x"), ("x", "y")], [("z", "x"), ("z", "y")])
    >>> identify(hidden, "x", "y", experiments=["z"])
    Estimand(P(y | do(x)): P(y | do(z), x))
    """
    graph = causal_class("identify", graph)
    x, y, w = _checked(graph, treatment, outcome, given)
    if method not in ("auto", "backdoor", "frontdoor", "general"):
        wanted = "'auto', 'backdoor', 'frontdoor' or 'general'"
        raise check.fail("identify", "method", wanted, method)
    sets = experiment_sets(graph, experiments)
    if not isinstance(graph, CausalGraph):
        return _in_class(graph, x, y, w, adjustment, method, sets)
    refuse_reversed("identify", graph, x, (*y, *w))
    if adjustment is not None:
        return _given_adjustment(graph, x, y, w, adjustment)
    if not w and method in ("auto", "backdoor"):
        covariates = optimal_adjustment_set(graph, x, y) if not graph.bidirected else None
        if covariates is None:
            covariates = minimal_adjustment_set(graph, x, y)
        if covariates is not None:
            return Estimand(
                graph, x, y, w, "backdoor", adjusted(x, y, covariates), adjustment=covariates
            )
    if not w and method in ("auto", "frontdoor"):
        mediators = minimal_front_door_set(graph, x, y) if graph.leads(x, y) else None
        if mediators is not None:
            formula = through(x, y, mediators)
            return Estimand(graph, x, y, w, "frontdoor", formula, adjustment=mediators)
    if method in ("backdoor", "frontdoor"):
        role = "covariates" if method == "backdoor" else "mediators"
        raise check.fail("identify", "method", f"one that works: no {role} suffice", method)
    return general(graph, x, y, w, (OBSERVED, *map(Source, sets)))


def experiment_sets(graph: Graph, experiments: Any) -> tuple[Names, ...]:
    """What every experiment assigned, small ones first."""
    if isinstance(experiments, str) or not hasattr(experiments, "__iter__"):
        experiments = [experiments]
    sets = {tuple(sorted(set(graph.members(part)), key=str)) for part in experiments}
    return tuple(sorted(sets - {()}, key=lambda part: (len(part), str(part))))


def refuse_reversed(owner: str, graph: CausalGraph, x: Names, y: Names) -> None:
    """Refuse a treatment that is an effect of the outcome and causes none of what is asked."""
    if graph.leads(x, y) or not graph.leads(y, x):
        return
    above = next(node for node in y if graph.leads((node,), x))
    need = (
        f"an effect of the treatment, not a cause of it (the arrows lead from {above!r} to {x!r}, "
        "so that setting the treatment does nothing to it)"
    )
    raise check.fail(owner, "outcome", need, above)


def _checked(graph: Graph, treatment: Any, outcome: Any, given: Any) -> tuple[Names, ...]:
    x, y, w = (tuple(dict.fromkeys(graph.members(part))) for part in (treatment, outcome, given))
    for name, part in (("treatment", x), ("outcome", y)):
        if not part:
            raise check.fail("identify", name, "at least one node", part)
    shared = set(x) & set(y) | set(x) & set(w) | set(y) & set(w)
    if shared:
        wanted = "three sets without a common node"
        raise check.fail(
            "identify", "treatment, outcome and given", wanted, sorted(map(str, shared))
        )
    return x, y, w


def _given_adjustment(
    graph: CausalClass, x: Names, y: Names, w: Names, adjustment: Any
) -> Estimand:
    from_user = graph.members(adjustment)
    if w:
        raise check.fail("identify", "given", "empty where adjustment is given", w)
    if not is_adjustment_set(graph, x, y, from_user):
        raise check.fail(
            "identify", "adjustment", "a set that closes all back doors and hides no effect",
            adjustment,
        )  # fmt: skip
    formula = adjusted(x, y, from_user)
    return Estimand(graph, x, y, w, "backdoor", formula, adjustment=from_user)


def _in_class(
    graph: PDAG | PAG, x: Names, y: Names, w: Names, adjustment: Any, method: str,
    experiments: tuple[Names, ...],
) -> Estimand:  # fmt: skip
    """A formula that is right in every graph of a class, or the edge that stands in the way."""
    other = "" if method in ("auto", "backdoor") else method
    for part, value in (("given", w), ("method", other), ("experiments", experiments)):
        if value:
            need = "left out for a PDAG or PAG, of which only adjustment is tried"
            raise check.fail("identify", part, need, value)
    if adjustment is not None:
        return _given_adjustment(graph, x, y, w, adjustment)
    doors = back_doors(graph, x, y)
    if not doors.on_paths and not doors.obstacle:
        return Estimand(graph, x, y, w, "general", Probability(y))
    covariates = optimal_adjustment_set(graph, x, y) if isinstance(graph, PDAG) else None
    if covariates is None:
        covariates = minimal_adjustment_set(graph, x, y)
    if covariates is None:
        return Estimand(graph, x, y, w, "none", None, obstacle=doors.obstacle)
    formula = adjusted(x, y, covariates)
    return Estimand(graph, x, y, w, "backdoor", formula, adjustment=covariates)


def adjusted(x: Names, y: Names, z: Names) -> Expression:
    r"""The adjustment formula :math:`\sum_z P(y \mid x, z) P(z)`."""
    if not z:
        return Probability(y, x)
    return total(z, product([Probability(y, (*x, *z)), Probability(z)]))


def through(x: Names, y: Names, m: Names) -> Expression:
    r"""The front-door formula :math:`\sum_m P(m \mid x) \sum_{x'} P(x') P(y \mid x', m)`."""
    inner = total(x, product([Probability(x), Probability(y, (*x, *m))]))
    return total(m, product([Probability(m, x), inner]))


def general(
    graph: CausalGraph, x: Names, y: Names, w: Names, sources: tuple[Source, ...] = (OBSERVED,)
) -> Estimand:
    """The complete procedure; conditions that act like treatments become treatments."""
    set_too = list(x)
    left = list(w)
    moved = True
    while moved:
        moved = False
        for node in list(left):
            others = [other for other in left if other != node]
            cut = graph.do(set_too).without_outgoing([node])
            if cut.separated([node], y, [*set_too, *others]):
                set_too.append(node)
                left = others
                moved = True
    rows = Rows.of(graph)
    together = effect(rows, rows.bits(set_too), rows.bits((*y, *left)), sources)
    if isinstance(together, Hedge):
        return Estimand(graph, x, y, w, "none", None, hedge=together, home=sources[0])
    expression = Ratio(together, total(y, together)) if left else together
    expression = _closed(expression, {*x, *y, *w}, sources[0])
    kind: EstimandKind = "general"
    if len(sources) > 1 and any(symbol.source != sources[0] for symbol in expression.symbols):
        kind = "experiments"
    return Estimand(graph, x, y, w, kind, expression, home=sources[0])


def _closed(expression: Expression, asked: set[Node], source: Source) -> Expression:
    """The formula without free variables that were not asked for.

    Its value is the same whatever they are (the first cause of a napkin): it is averaged over them.
    """
    stray = tuple(sorted(expression.free - asked, key=str))
    if not stray:
        return expression
    return total(stray, product([Probability(stray, (), source), expression]))
