"""From a graph of missingness and a question to a formula over the rows where things are seen."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from margin.causal.identification._adjustment import adjustment_sets
from margin.causal.identification._estimand import Estimand
from margin.causal.identification._expressions import (
    Expression,
    Probability,
    Product,
    Ratio,
    Total,
    product,
    total,
)
from margin.causal.identification._identify import adjusted, identify
from margin.causal.missingness._factors import at_random, direct, in_turn, weighted
from margin.causal.missingness._missingness_graph import MissingnessGraph, Names
from margin.core import check

MOST_FORMULAS = 20


def recover(
    study: MissingnessGraph, outcome: Any, treatment: Any = (), given: Any = ()
) -> Estimand:
    r"""A formula for a law, or for an effect, from data in which values are missing.

    Tried in turn for :math:`P(y \mid w)`: the complete rows, where being complete tells nothing
    (missing completely at random); what is always seen and the rest given it (at random); one
    variable after the other, each among the rows where what it needs is seen; and complete rows
    weighted by one over the chance that they are complete. The latter two also serve values that
    are missing not at random. Of an effect every probability of its formula is recovered.

    Parameters
    ----------
    study : MissingnessGraph
    outcome, treatment, given : node or collection of nodes
        :math:`P(\text{outcome} \mid do(\text{treatment}), \text{given})`; without a treatment a
        law, of all variables for example.

    Returns
    -------
    Estimand
        Of kind "missing"; its ``evaluate`` takes a frame with gaps, or the ``(names, table)`` of
        variables and indicators (0 missing, 1 seen). Of kind "none" where no way works; its
        ``explain()`` says whether none can: a variable that, or a hidden cause of which, decides
        whether it is seen itself.

    Notes
    -----
    The search for an order looks at sets of variables and takes exponential time at worst.

    References
    ----------
    K. Mohan, J. Pearl and J. Tian, "Graphical models for inference with missing data", NeurIPS
    2013. K. Mohan and J. Pearl, "Graphical models for processing missing data", JASA 116, 2021.

    Examples
    --------
    >>> from margin.causal import CausalGraph, MissingnessGraph, recover
    >>> graph = CausalGraph.from_edges([("x", "y"), ("x", "R_y")])
    >>> recover(MissingnessGraph(graph, {"y": "R_y"}), ["x", "y"])
    Estimand(P(x, y): P(x) P(y | x, R_y=1))
    >>> hides_itself = CausalGraph.from_edges([("x", "y"), ("y", "R_y")])
    >>> recover(MissingnessGraph(hides_itself, {"y": "R_y"}), "y").identifiable
    False
    """
    if not isinstance(study, MissingnessGraph):
        raise check.fail("recover", "study", "a MissingnessGraph", study)
    graph = study.substantive
    y, x, w = (tuple(dict.fromkeys(graph.members(p))) for p in (outcome, treatment, given))
    if not y:
        raise check.fail("recover", "outcome", "at least one variable", outcome)
    if len({*y, *x, *w}) < len(y) + len(x) + len(w):
        need = "three sets without a common variable"
        raise check.fail("recover", "treatment, outcome and given", need, (x, y, w))
    if not x:
        expression = law(study, y, w)
        reason = "" if expression is not None else _why_not(study, y)
        return _estimand(study, x, y, w, expression, reason)
    plain = identify(graph, x, y, w)
    if not plain.identifiable:
        return plain
    for formula in islice(_formulas(plain, x, y, w), MOST_FORMULAS):
        expression = _filled(study, formula)
        if expression is not None:
            return _estimand(study, x, y, w, expression, "")
    return _estimand(study, x, y, w, None, _UNKNOWN)


_UNKNOWN = "no way that is tried works, which does not prove that there is none."


def _estimand(
    study: MissingnessGraph,
    x: Names,
    y: Names,
    w: Names,
    expression: Expression | None,
    reason: str,
) -> Estimand:
    kind: Any = "none" if expression is None else "missing"
    return Estimand(study.substantive, x, y, w, kind, expression, reason=reason)


def _formulas(plain: Estimand, x: Names, y: Names, w: Names) -> Iterator[Expression]:
    """The formula that was found, and those that adjust for other covariates."""
    assert plain.expression is not None
    yield plain.expression
    if not w and plain.kind == "backdoor":
        for covariates in adjustment_sets(plain.graph, x, y):
            yield adjusted(x, y, covariates)
    if not w and plain.kind in ("backdoor", "frontdoor"):
        general = identify(plain.graph, x, y, method="general").expression
        assert general is not None
        yield general


def law(study: MissingnessGraph, targets: Names, given: Names) -> Expression | None:
    """P(targets | given) by the first way that works, also as a part of a larger law."""
    plain = direct(study, targets, given)
    if plain is not None:
        return plain
    asked = (*given, *targets)
    ordered = tuple(node for node in study.variables if node in set(asked))
    for names in dict.fromkeys((ordered, _with_causes(study, ordered), study.variables)):
        for way in (at_random, in_turn, weighted):
            joint = way(study, names)
            if joint is None:
                continue
            joint = total([node for node in names if node not in set(asked)], joint)
            return Ratio(joint, total(targets, joint)) if given else joint
    return None


def _with_causes(study: MissingnessGraph, names: Names) -> Names:
    above = {*names, *study.graph.ancestors(names)}
    return tuple(node for node in study.variables if node in above)


def _filled(study: MissingnessGraph, formula: Expression) -> Expression | None:
    """A formula with every probability recovered."""
    if isinstance(formula, Probability):
        return law(study, formula.targets, formula.given)
    if isinstance(formula, Product):
        parts = [_filled(study, factor) for factor in formula.factors]
        known = [part for part in parts if part is not None]
        return product(known) if len(known) == len(parts) else None
    if isinstance(formula, Total):
        body = _filled(study, formula.body)
        return None if body is None else Total(formula.over, body)
    assert isinstance(formula, Ratio)
    top, bottom = _filled(study, formula.top), _filled(study, formula.bottom)
    return None if top is None or bottom is None else Ratio(top, bottom)


def _why_not(study: MissingnessGraph, y: Names) -> str:
    """Two models prove it for a variable that is tied to its own indicator."""
    graph = study.graph
    for name in y:
        sign = study.indicators.get(name)
        if sign is None:
            continue
        if name in graph.parents(sign):
            return (
                f"{name} decides itself whether it is seen ({name} -> {sign}), so that models that "
                "agree on all that is seen differ in its law. What is missing has to be measured "
                "in some rows, or something else to be known of the reason."
            )
        if name in graph.spouses(sign):
            return (
                f"a hidden cause of {name} decides whether it is seen ({name} <-> {sign}), so that "
                "models that agree on all that is seen differ in its law. Measuring this cause may "
                "help."
            )
    return _UNKNOWN
