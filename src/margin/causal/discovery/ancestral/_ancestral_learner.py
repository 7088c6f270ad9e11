"""What learners of partial ancestral graphs are told and store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from margin.causal.discovery._discoverer import Discoverer
from margin.causal.discovery.scored._scored_columns import refuse_combinations
from margin.core import Solution, Status, check, threads
from margin.graphical.learning.structure._constraints import tests_used_up
from margin.graphical.learning.structure._tests import independence_test
from margin.search import (
    COLLIDERS,
    AncestralSearch,
    AncestralSettings,
    FisherZ,
    IndependenceTest,
    Knowledge,
)

Search = Callable[[IndependenceTest, AncestralSettings, Knowledge], AncestralSearch]


class AncestralLearner(Discoverer):
    """Learner of a partial ancestral graph by tests; abstract."""

    test: Any
    alpha: float
    max_cond_size: int | None
    colliders: str
    selection: bool
    aggregate: str
    min_count: float
    max_tests: int
    n_jobs: int | None

    def _learn(self, X: Any, sample_weight: Any, search: Search, solver: str) -> Self:
        """Check, choose the test, search, and store the graph with its evidence."""
        check.params(
            self,
            fraction="alpha",
            nonnegative="min_count",
            count="max_tests",
            flag="selection",
            one_of={"aggregate": ("sum", "max", "bonferroni"), "colliders": COLLIDERS},
        )
        if self.max_cond_size is not None:
            check.params(self, nonnegative="max_cond_size")
        name = type(self).__name__
        test = independence_test(
            name,
            self.test,
            X,
            sample_weight,
            aggregate=self.aggregate,
            min_count=self.min_count,
        )
        _refuse_hopeless(name, test)
        settings = AncestralSettings(
            alpha=self.alpha,
            colliders=self.colliders,
            selection=self.selection,
            max_level=None if self.max_cond_size is None else int(self.max_cond_size),
            max_tests=self.max_tests,
            n_threads=threads.count(self.n_jobs),
        )
        result = search(test, settings, self._knowledge(test.names))
        self._keep(result, test, solver)
        self._keep_names(X, test.names)
        return self

    def _keep(self, result: AncestralSearch, test: IndependenceTest, solver: str) -> None:
        names = test.names
        self.graph_ = result.graph
        self.skeleton_ = result.graph.skeleton()
        edges = self.skeleton_.adjacency()
        solution = Solution(
            x=edges.astype(np.float64),
            status=Status.MAX_ITER if result.cut else Status.CONVERGED,
            message=tests_used_up(self.max_tests) if result.cut else "",
            n_iter=len(result.n_tests),
            objective=float(sum(result.n_tests)),
            trace={"objective": np.array(result.n_tests, dtype=float)},
            solver=f"{solver}, {type(test).__name__}",
        )
        self.fit_report_ = check.report(self, solution, _notes(result))
        # Pairs, not mappings: those of tuples cannot be saved by skops. By number, and in the words
        # of the columns when they are asked for.
        self._names = names
        self._separators = tuple(result.separators.items())
        self._p_values = tuple(result.p_values.items())
        pairs = np.argwhere(np.triu(edges))
        largest = result.largest_p[pairs[:, 0], pairs[:, 1]].tolist()
        self._edge_p_values = tuple(zip(map(tuple, pairs.tolist()), largest, strict=True))
        self.unclear_ = tuple(tuple(names[v] for v in triple) for triple in result.unclear)
        self.conflicts_ = tuple(tuple(names[v] for v in triple) for triple in result.conflicts)
        self.n_tests_ = result.n_tests

    @property
    def separators_(self) -> dict[tuple[Any, Any], tuple[Any, ...]]:
        """For each removed pair the set that made it independent."""
        names = self._names
        return {
            (names[i], names[j]): tuple(names[s] for s in given)
            for (i, j), given in self._separators
        }

    @property
    def removals_(self) -> tuple[tuple[Any, Any, float], ...]:
        """Removed pairs with their p-values, the surest first."""
        names = self._names
        surest = sorted(self._p_values, key=lambda removal: (-removal[1], removal[0]))
        return tuple((names[i], names[j], p_value) for (i, j), p_value in surest)

    @property
    def edge_p_values_(self) -> dict[tuple[Any, Any], float]:
        """For each edge the largest p-value of its tests; small means certain."""
        names = self._names
        return {(names[i], names[j]): p_value for (i, j), p_value in self._edge_p_values}


def _refuse_hopeless(owner: str, test: IndependenceTest) -> None:
    """Columns and tables about which the test could say nothing."""
    if isinstance(test, FisherZ):
        data = test.data
        if data.n_rows <= 3:
            raise check.fail(owner, "X", "more than 3 rows that know each pair", data.n_rows)
        spread = np.diag(data.covariance)
        scale = np.maximum(data.mean**2, np.finfo(float).tiny)
        constant = spread <= 1e-28 * scale
        if constant.any():
            column = test.names[int(np.argmax(constant))]
            raise check.fail(owner, f"column {column!r}", "not constant", "one value")
        # Given the others nothing is left of such a column: every test would say independent.
        refuse_combinations(owner, data)


def _notes(result: AncestralSearch) -> tuple[str, ...]:
    notes = [f"{sum(result.n_tests)} tests, by size of the condition {list(result.n_tests)}"]
    if sum(result.n_skipped):
        notes.append(f"{sum(result.n_skipped)} tests had too little data and removed nothing")
    if result.n_later:
        notes.append(f"{result.n_later} edges removed after the first skeleton")
    if result.unclear:
        notes.append(f"{len(result.unclear)} triples unclear: separating sets disagree")
    if result.conflicts:
        notes.append(f"{len(result.conflicts)} common effects contradict what is known; not drawn")
    return tuple(notes)
