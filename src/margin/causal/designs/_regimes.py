"""Data sets that say how they came about: observed, or made by an intervention."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from margin.causal.graph._causal_graph import CausalGraph
from margin.core import check


@dataclass(frozen=True, eq=False)
class Regime:
    """Rows with the variables that were set while they were taken (causal.03).

    Parameters
    ----------
    frame : data frame or mapping
    targets : tuple of names
        Variables that somebody set; none means an observational data set.
    name : str

    Examples
    --------
    >>> trial = Regime({"drug": [0, 1], "cured": [0, 1]}, ("drug",), name="trial")
    >>> graph = CausalGraph.from_edges([("drug", "cured")], [("drug", "cured")])
    >>> trial.interventional, trial.says(graph, "drug", "cured")
    (True, True)
    """

    frame: Any = field(repr=False)
    targets: tuple[Hashable, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        held = self.targets
        listed = tuple(held) if isinstance(held, list | tuple | set | frozenset) else (held,)
        object.__setattr__(self, "targets", listed)
        columns = self.frame.columns if hasattr(self.frame, "columns") else self.frame
        for target in listed:
            if target not in list(columns):
                raise check.fail("Regime", "targets", "columns of the frame", target)

    @property
    def interventional(self) -> bool:
        """Whether anything was set."""
        return bool(self.targets)

    def knows(self, node: Hashable) -> bool:
        """Whether the rows show the mechanism of a variable: it was not set."""
        return node not in self.targets

    def graph(self, graph: CausalGraph) -> CausalGraph:
        """The graph under which these rows came about: arrows into what was set are cut."""
        return graph.do(list(self.targets)) if self.targets else graph

    def says(self, graph: CausalGraph, treatment: Hashable, outcome: Hashable) -> bool:
        """Whether the plain association of these rows is the effect of one on the other."""
        own = self.graph(graph)
        return own.without_outgoing([treatment]).separated(treatment, outcome)


def usable_regimes(regimes: Iterable[Regime], node: Hashable) -> tuple[Regime, ...]:
    """Those data sets from which the mechanism of a variable may be learned (causal.03).

    Examples
    --------
    >>> seen = Regime({"x": [0], "y": [1]}, name="seen")
    >>> made = Regime({"x": [0], "y": [1]}, "x", name="made")
    >>> [regime.name for regime in usable_regimes([seen, made], "x")]
    ['seen']
    """
    return tuple(regime for regime in regimes if regime.knows(node))
