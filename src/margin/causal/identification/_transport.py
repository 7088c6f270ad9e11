"""Effects carried from one population to another."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.identification._districts import Hedge
from margin.causal.identification._estimand import Estimand
from margin.causal.identification._expressions import Source
from margin.causal.identification._identify import (
    experiment_sets,
    general,
    identify,
    refuse_reversed,
)
from margin.causal.identification._smallest_sets import smallest_set
from margin.causal.tables._columns import levels, numbers
from margin.core import check

Names = tuple[Hashable, ...]
TARGET = Source(mark="*")
TransportKind = Literal["direct", "reweighted", "target", "general", "none"]


@dataclass(frozen=True, eq=False)
class Transport:
    """How an experiment elsewhere answers a question here (causal.25).

    Parameters
    ----------
    kind : {"direct", "reweighted", "target", "general", "none"}
        The effect is the same; it is that of strata, weighted by their shares here; it needs no
        experiment, since observations here suffice; it is put together, district by district, of
        experiments there and observations here; or there is no formula.
    treatment, outcome : names
    covariates : tuple
        Strata to weight by.
    formula : str
        Starred probabilities are those of the target.
    estimand : Estimand or None
        The formula as a value, of kinds "target" and "general".
    hedge : Hedge or None
        Two sets that no source tells apart, where there is no formula.
    """

    kind: TransportKind
    treatment: Names = field(repr=False)
    outcome: Names = field(repr=False)
    covariates: Names
    formula: str
    estimand: Estimand | None = field(default=None, repr=False)
    hedge: Hedge | None = field(default=None, repr=False)

    def evaluate(self, experiment: Any, target: Any) -> dict[Any, float]:
        """Mean outcome here under each treatment, from an experiment there and covariates here.

        Parameters
        ----------
        experiment : data frame or mapping
            Rows in which the treatment was assigned at random, with the covariates.
        target : data frame or mapping
            Rows of the target population, with the covariates.

        Returns
        -------
        dict of level to float
        """
        if self.kind not in ("direct", "reweighted"):
            need = "'direct' or 'reweighted' (estimand.evaluate takes the others)"
            raise check.fail("Transport", "kind", need, self.kind)
        owner = "Transport.evaluate"
        held, codes = levels(owner, experiment, self.treatment[0])
        y = numbers(owner, experiment, self.outcome[0])
        there, here = _strata(owner, experiment, target, self.covariates, len(y))
        laws = {}
        for level, name in enumerate(held):
            total = 0.0
            for stratum, share in zip(*np.unique(here, return_counts=True), strict=True):
                rows = (there == stratum) & (codes == level)
                if not rows.any():
                    need = f"with rows of level {name!r} in every stratum of the target"
                    raise check.fail(owner, "experiment", need, int(stratum))
                total += share * float(y[rows].mean())
            laws[name] = total / len(here)
        return laws


def transport(
    graph: CausalGraph,
    treatment: Any,
    outcome: Any,
    selection: Any,
    *,
    observed: Any = None,
    experiments: Any = None,
) -> Transport:
    """Whether an effect found in one population holds in another (causal.25).

    A selection diagram is the graph with a further cause for every variable whose mechanism differs
    between the populations. Where covariates, with the treatment set, separate the outcome from all
    of these causes, effects within strata carry over and are weighted by the strata of the target.

    Parameters
    ----------
    graph : CausalGraph
        Of both populations.
    treatment, outcome : node or nodes
    selection : nodes
        Variables whose mechanism or share differs.
    observed : nodes, optional
        Covariates that may be used; all by default.
    experiments : collection of collections of nodes, optional
        What was assigned at random in the other population; the treatment by default.

    References
    ----------
    J. Pearl and E. Bareinboim, "External validity: from do-calculus to transportability across
    populations", Statistical Science 29, 2014.
    J. Correa and E. Bareinboim, "General transportability of soft interventions: completeness
    results", NeurIPS 2020.

    Examples
    --------
    >>> graph = CausalGraph.from_edges([("age", "x"), ("age", "y"), ("x", "y")])
    >>> transport(graph, "x", "y", ["age"]).formula
    'P*(y | do(x)) = Σ_{age} P(y | do(x), age) P*(age)'
    """
    graph = causal_graph("transport", graph)
    x, y = graph.members(treatment), graph.members(outcome)
    differs = graph.members(selection)
    if set(x) & set(y):
        raise check.fail("transport", "outcome", "apart from the treatment", outcome)
    refuse_reversed("transport", graph, x, y)
    causes = [("selection", node) for node in differs]
    diagram = CausalGraph(
        [*graph.nodes, *causes], [*graph.directed, *((c, c[1]) for c in causes)], graph.bidirected
    )
    says = f"P*({_list(y)} | do({_list(x)}))"
    after = set(graph.descendants(x))
    allowed = graph.nodes if observed is None else graph.members(observed)
    usable = [node for node in graph.nodes if node in set(allowed) and node not in {*x, *y, *after}]
    if experiments is None:
        strata = _strata_that_separate(diagram.do(list(x)), causes, x, y, usable)
        if strata == ():
            return Transport("direct", x, y, (), f"{says} = P({_list(y)} | do({_list(x)}))")
        if strata is not None:
            inner = f"P({_list(y)} | do({_list(x)}), {_list(strata)}) P*({_list(strata)})"
            return Transport("reweighted", x, y, strata, f"{says} = Σ_{{{_list(strata)}}} {inner}")
    alone = identify(graph, x, y)
    if alone.identifiable:
        formula = alone.formula().replace("P(", "P*(")
        return Transport("target", x, y, (), f"{says} = {formula}", alone)
    there = experiment_sets(graph, [x] if experiments is None else experiments)
    sources = (TARGET, *(Source(part, differs) for part in ((), *there)))
    answer = general(graph, x, y, (), sources)
    if not answer.identifiable:
        says = f"{says}: no formula from any of the sources"
        return Transport("none", x, y, (), says, hedge=answer.hedge)
    return Transport("general", x, y, (), f"{says} = {answer.formula()}", answer)


def _strata_that_separate(
    cut: CausalGraph, causes: list[Any], x: Names, y: Names, usable: list[Hashable]
) -> Names | None:
    """Covariates, none needless, that with the treatment set separate outcome and selection."""

    def within(some: Names) -> Names | None:
        return some if not causes or cut.separated(causes, y, [*x, *some]) else None

    above = set(cut.ancestors([*x, *y]))
    return smallest_set([node for node in usable if node in above], within)


def _list(names: Names) -> str:
    return ", ".join(map(str, names))


def _strata(owner: str, one: Any, other: Any, names: Names, n: int) -> tuple[Any, Any]:
    """Codes of the same strata in two frames."""
    if not names:
        return np.zeros(n, dtype=np.int64), np.zeros(1, dtype=np.int64)
    parts = []
    for name in names:
        a, b = (levels(owner, frame, name) for frame in (one, other))
        known = sorted({*a[0], *b[0]}, key=str)
        parts.append([np.array([known.index(v) for v in held])[codes] for held, codes in (a, b)])
    joined = [np.column_stack([part[side] for part in parts]) for side in (0, 1)]
    _, codes = np.unique(np.vstack(joined), axis=0, return_inverse=True)
    return codes.ravel()[: len(joined[0])], codes.ravel()[len(joined[0]) :]
