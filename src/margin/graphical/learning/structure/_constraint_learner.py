"""What learners by tests of independence store."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from margin.core import check
from margin.graphical.learning.structure._constraints import Constraints
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._tests import independence_test
from margin.search import IndependenceTest


class ConstraintLearner(StructureLearner):
    """Learner that removes edges by tests and directs what is left; abstract."""

    test: Any
    alpha: float
    aggregate: str
    min_count: float
    max_cond_size: int | None
    max_tests: int

    def _independence_test(self, X: Any, sample_weight: Any) -> IndependenceTest:
        """Check what all such learners are told, and choose the test."""
        check.params(
            self,
            fraction="alpha",
            nonnegative="min_count",
            count="max_tests",
            one_of={"aggregate": ("sum", "max", "bonferroni")},
        )
        if self.max_cond_size is not None:
            check.params(self, nonnegative="max_cond_size")
        return independence_test(
            self._name,
            self.test,
            X,
            sample_weight,
            aggregate=self.aggregate,
            min_count=self.min_count,
        )

    @property
    def _max_level(self) -> int | None:
        return None if self.max_cond_size is None else int(self.max_cond_size)

    def _keep(self, X: Any, names: Sequence[Any], result: Constraints) -> Self:
        """Store the graph, and what the tests said."""
        objective = result.solution.objective
        score = None if np.isnan(objective) else objective
        report = check.report(self, result.solution, result.notes, unknown_objective=score is None)
        self.skeleton_ = result.skeleton
        self._separators = result.separators
        self._edge_p_values = result.edge_p_values
        self.removals_ = result.removals
        self.conflicts_ = result.conflicts
        self.n_tests_ = result.n_tests
        self._store(X, names, result.graph, score, report)
        return self

    @property
    def separators_(self) -> dict[tuple[Any, Any], tuple[Any, ...]]:
        """For each removed pair the set that made it independent."""
        return dict(self._separators)

    @property
    def edge_p_values_(self) -> dict[tuple[Any, Any], float]:
        """For each edge the largest p-value of its tests; small means certain."""
        return dict(self._edge_p_values)
