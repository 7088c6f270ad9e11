"""Berkson's paradox: what looking at a selection does to an association."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from margin.causal.graph._as_graph import causal_graph
from margin.causal.graph._causal_graph import CausalGraph
from margin.causal.tables._columns import numbers
from margin.core import check


@dataclass(frozen=True)
class BerksonReport:
    """Correlation among all rows and among those selected (causal.02).

    Parameters
    ----------
    overall, selected : float
        Correlations.
    p_overall, p_selected : float
        Fisher's test that each is zero.
    p_change : float
        Test that the correlation among the selected is that of all.
    """

    overall: float
    selected: float
    p_overall: float
    p_selected: float
    p_change: float

    def flagged(self, level: float = 0.05) -> bool:
        """Whether the selection changed the association."""
        return self.p_change < level


def berkson_check(frame: Any, x: Hashable, y: Hashable, selected: Hashable) -> BerksonReport:
    """Whether two columns are associated otherwise among selected rows than among all.

    Parameters
    ----------
    frame : data frame or mapping
    x, y : names of columns of numbers
    selected : name of a column of 0 and 1

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> talent, looks = rng.standard_normal((2, 2000))
    >>> frame = {"talent": talent, "looks": looks, "star": talent + looks > 1.5}
    >>> report = berkson_check(frame, "talent", "looks", "star")
    >>> report.flagged(), round(report.selected, 2)
    (True, -0.69)
    """
    owner = "berkson_check"
    a, b, s = (numbers(owner, frame, name) for name in (x, y, selected))
    inside = s > 0
    if min(inside.sum(), (~inside).sum()) < 4:
        raise check.fail(owner, "selected", "0 and 1 in at least four rows each", inside.sum())
    z, p = {}, {}
    parts = {"all": np.ones(len(a), dtype=bool), "in": inside}
    for key, rows in parts.items():
        if np.ptp(a[rows]) == 0 or np.ptp(b[rows]) == 0:
            raise check.fail(owner, "columns", "not constant within the selection", (x, y))
        r = float(np.corrcoef(a[rows], b[rows])[0, 1])
        z[key] = np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15))
        p[key] = float(2 * norm.sf(abs(z[key]) * np.sqrt(rows.sum() - 3)))
    # The selected are part of all: what the two correlations share cancels.
    spread = np.sqrt(1 / (inside.sum() - 3) - 1 / (len(a) - 3))
    change = float(2 * norm.sf(abs(z["in"] - z["all"]) / spread))
    return BerksonReport(
        float(np.tanh(z["all"])), float(np.tanh(z["in"])), p["all"], p["in"], change
    )


@dataclass(frozen=True)
class Association:
    """Why two variables of a graph are associated (causal.04).

    Parameters
    ----------
    causes : bool
        The first is a cause of the second.
    caused : bool
        The second is a cause of the first.
    common_causes : tuple
        Nodes that cause both by separate ways; pairs for hidden ones.
    selection : tuple
        Nodes that were conditioned on and are effects of both sides: the case in which the
        principle of the common cause fails.
    """

    causes: bool
    caused: bool
    common_causes: tuple[Any, ...]
    selection: tuple[Hashable, ...]

    def __bool__(self) -> bool:
        return self.causes or self.caused or bool(self.common_causes or self.selection)


def explain_association(
    graph: CausalGraph, x: Hashable, y: Hashable, given: Any = ()
) -> Association:
    """Reichenbach's alternatives: a cause, an effect, a common cause; or a selection (causal.04).

    Without conditions an association has one of the first three reasons; conditioning on a common
    effect gives a fourth.

    Examples
    --------
    >>> graph = CausalGraph.from_dagitty("dag { gene -> {smoking cancer} -> ward }")
    >>> explain_association(graph, "smoking", "cancer")
    Association(causes=False, caused=False, common_causes=('gene',), selection=())
    >>> explain_association(graph, "smoking", "cancer", given=["ward", "gene"]).selection
    ('ward',)
    """
    graph = causal_graph("explain_association", graph)
    held = set(graph.members(given))
    if {x, y} & held:
        raise check.fail("explain_association", "given", "without the two variables", given)
    graph.members([x, y])
    causes = not graph.without_outgoing([*held, y]).do([x]).separated(x, y)
    caused = not graph.without_outgoing([*held, x]).do([y]).separated(x, y)
    common = [
        node for node in graph.nodes
        if node not in {x, y} | held and _reaches(graph, node, x, {y, *held})
        and _reaches(graph, node, y, {x, *held})
    ]  # fmt: skip
    hidden = [
        (a, b) for a, b in graph.bidirected
        if not {a, b} & held and any(
            _reaches(graph, p, x, {y, *held}) and _reaches(graph, q, y, {x, *held})
            for p, q in ((a, b), (b, a))
        )
    ]  # fmt: skip
    selection = tuple(
        node for node in graph.nodes
        if node in held and not graph.separated(x, y, list(held))
        and _meets(graph, x, node) and _meets(graph, y, node)
        and node not in graph.ancestors([x, y])
    )  # fmt: skip
    return Association(causes, caused, (*common, *hidden), selection)


def _reaches(graph: CausalGraph, start: Hashable, end: Hashable, blocked: set[Hashable]) -> bool:
    """Whether a directed path leads from one node to another past none that is blocked."""
    if start in blocked:
        return False
    rest = graph.subgraph([node for node in graph.nodes if node not in blocked])
    return end in set(rest.descendants([start])) | {start}


def _meets(graph: CausalGraph, node: Hashable, end: Hashable) -> bool:
    return end in set(graph.descendants([node])) or not graph.separated(node, end)
