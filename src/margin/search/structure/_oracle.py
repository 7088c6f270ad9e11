"""The test that knows the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from margin.graphs import DAG, ancestral_graph, moral_graph
from margin.search.structure._independence import IndependenceTest, TestResult


@dataclass(frozen=True, eq=False)
class Oracle(IndependenceTest):
    """d-separation in a known graph, in the place of a statistical test.

    Examples
    --------
    >>> from margin.graphs import DAG
    >>> oracle = Oracle(DAG(3, [(0, 2), (1, 2)]))
    >>> oracle(0, 1).p_value, oracle(0, 1, [2]).p_value
    (1.0, 0.0)
    """

    graph: DAG

    @property
    def names(self) -> tuple[Any, ...]:  # type: ignore[override]
        """Names of the nodes."""
        return self.graph.nodes

    def __call__(self, i: int, j: int, given: Sequence[int] = ()) -> TestResult:
        self.check_columns(i, j, given)
        a, b = self.names[i], self.names[j]
        blocked = {self.names[s] for s in given}
        joined = moral_graph(ancestral_graph(self.graph, [a, b, *blocked]))
        front, seen = [a], {a}
        while front:
            for node in joined.neighbours(front.pop()):
                if node == b:
                    return TestResult(1.0, 0.0, 0.0)
                if node not in seen and node not in blocked:
                    seen.add(node)
                    front.append(node)
        return TestResult(0.0, 0.0, 1.0)
