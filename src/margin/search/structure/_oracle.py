"""The test that knows the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from margin.core import check
from margin.graphs import DAG, MixedGraph
from margin.search.structure._independence import IndependenceTest, TestResult


@dataclass(frozen=True, eq=False)
class Oracle(IndependenceTest):
    """d-separation in a known graph, in the place of a statistical test.

    Parameters
    ----------
    graph : DAG, or MixedGraph of arrows and bidirected edges
        The truth.
    latent, selection : node or collection of nodes
        Variables that are not seen, and those by whose values rows have been selected; the others
        are the columns.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> oracle = Oracle(DAG(3, [(0, 2), (1, 2)]))
    >>> oracle(0, 1).p_value, oracle(0, 1, [2]).p_value
    (1.0, 0.0)
    >>> Oracle(DAG(3, [(0, 2), (1, 2)]), selection=2)(0, 1).p_value
    0.0
    """

    graph: DAG | MixedGraph
    latent: Any = ()
    selection: Any = ()
    names: tuple[Any, ...] = field(init=False)
    _reader: MixedGraph = field(init=False, repr=False)

    def __post_init__(self) -> None:
        graph = self.graph
        hidden, chosen = graph.bits(self.latent), graph.bits(self.selection)
        if hidden & chosen:
            both = graph.named(hidden & chosen)
            raise check.fail("Oracle", "latent and selection", "without a common node", both)
        seen = ((1 << len(graph)) - 1) & ~hidden & ~chosen
        reader = MixedGraph(graph.nodes, graph.edges) if isinstance(graph, DAG) else graph
        object.__setattr__(self, "names", graph.named(seen))
        object.__setattr__(self, "_reader", reader)

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        condition = [*(self.names[s] for s in given), *self._reader.members(self.selection)]
        apart = self._reader.m_separated([self.names[i]], [self.names[j]], condition)
        return TestResult(0.0, 0.0, 1.0) if apart else TestResult(1.0, 0.0, 0.0)
