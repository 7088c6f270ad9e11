"""Graphs of series: arrows from the past, and links at the same moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from margin.causal.discovery.time._lagged_table import lag_names
from margin.graphs import PDAG


@dataclass(frozen=True)
class TimeSeriesGraph:
    """Links into the present, the same at every moment.

    Parameters
    ----------
    names : tuple
        Variables.
    max_lag : int
        Longest lag that was looked at.
    lagged : tuple of (cause, lag, effect)
        Arrows from ``lag`` steps before.
    directed : tuple of (cause, effect)
        Arrows within a moment.
    undirected : tuple of pairs
        Links within a moment whose direction is open.

    Examples
    --------
    >>> graph = TimeSeriesGraph(("x", "y"), 2, (("x", 2, "y"),), (("y", "x"),))
    >>> graph.causes("y"), graph.causes("x")
    ((('x', 2),), (('y', 0),))
    """

    names: tuple[Any, ...]
    max_lag: int
    lagged: tuple[tuple[Any, int, Any], ...] = ()
    directed: tuple[tuple[Any, Any], ...] = ()
    undirected: tuple[tuple[Any, Any], ...] = ()

    @property
    def nodes(self) -> tuple[tuple[Any, int], ...]:
        """Every (name, lag), the present first."""
        return lag_names(self.names, self.max_lag)

    def links(self) -> Iterator[tuple[Any, Any, str]]:
        """Every link into the present once, between (name, lag), with its kind."""
        for cause, lag, effect in self.lagged:
            yield (cause, lag), (effect, 0), "directed"
        for cause, effect in self.directed:
            yield (cause, 0), (effect, 0), "directed"
        for a, b in self.undirected:
            yield (a, 0), (b, 0), "undirected"

    @property
    def edges(self) -> tuple[tuple[Any, Any], ...]:
        """Ends of every link into the present."""
        return tuple((a, b) for a, b, _ in self.links())

    def causes(self, name: Any) -> tuple[tuple[Any, int], ...]:
        """Every (cause, lag) with an arrow to a variable."""
        return tuple(a for a, b, kind in self.links() if kind == "directed" and b == (name, 0))

    def unrolled(self) -> PDAG:
        """The links into one moment as a graph over (name, lag)."""
        arrows = [(a, b) for a, b, kind in self.links() if kind == "directed"]
        edges = [(a, b) for a, b, kind in self.links() if kind == "undirected"]
        return PDAG(self.nodes, arrows, edges)

    def draw(self, ax: Any = None, **style: Any) -> Any:
        """Draw the links into the present, a column of nodes per lag, and return the axes."""
        places = {
            (name, lag): (-1.6 * lag, -float(at))
            for at, name in enumerate(self.names)
            for lag in range(self.max_lag + 1)
        }
        labels = {(n, lag): f"{n}(t-{lag})" if lag else f"{n}(t)" for n, lag in self.nodes}
        return self.unrolled().draw(ax, **({"positions": places, "labels": labels} | style))
