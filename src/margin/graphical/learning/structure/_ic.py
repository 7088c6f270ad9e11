"""Structure by exhaustive tests of conditional independence."""

from typing import Any, Self

from margin.core import Card, atomic
from margin.graphical.learning.structure._constraint_learner import ConstraintLearner
from margin.graphical.learning.structure._constraints import constraints
from margin.search import exhaustive_skeleton


class IC(ConstraintLearner):
    """Inductive causation: Markov equivalence class from tests given all subsets (graphical.33).

    Like :class:`PC`, but every pair is tested given every set of other columns, smallest first,
    until one separates it: exponentially many tests, and no trust in earlier removals.

    Parameters
    ----------
    test, alpha, aggregate, min_count, required, forbidden, tiers
        As in :class:`PC`.
    max_cond_size : int or None, default=None
        Largest conditioning set.
    max_tests : int, default=200_000
        Most tests; edges that they had not come to by then stay, with a warning.

    Attributes
    ----------
    graph_, skeleton_, separators_, removals_, edge_p_values_, conflicts_, n_tests_, score_
        As in :class:`PC`.
    fit_report_ : FitReport
        Numbers of tests.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Examples
    --------
    >>> from margin.graphical import IC
    >>> from margin.graphs import DAG
    >>> from margin.search import Oracle
    >>> IC(test=Oracle(DAG(3, [(0, 1), (1, 2)]))).fit().graph_.undirected
    ((0, 1), (1, 2))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        test: Any = "auto",
        alpha: float = 0.05,
        max_cond_size: int | None = None,
        aggregate: str = "sum",
        min_count: float = 1.0,
        max_tests: int = 200_000,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_cond_size = max_cond_size
        self.aggregate = aggregate
        self.min_count = min_count
        self.max_tests = max_tests
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers

    @atomic
    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph; parameters as in :meth:`PC.fit`."""
        test = self._independence_test(X, sample_weight)
        known = self._knowledge(test.names)
        skeleton = exhaustive_skeleton(
            test, self.alpha, max_level=self._max_level, max_tests=self.max_tests, knowledge=known
        )
        return self._keep(
            X, test.names, constraints(test, skeleton, known, "inductive causation", self.max_tests)
        )
