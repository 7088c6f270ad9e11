"""Structure by tests, then by score."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from margin.core import Card, Status, atomic, check, random, threads
from margin.graphical.learning.structure._constraints import tests_used_up
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import MODELS, read
from margin.graphs import DAG
from margin.search import (
    Categories,
    Climb,
    FisherZ,
    GTest,
    IndependenceTest,
    Knowledge,
    Moments,
    NetworkScore,
    hill_climb,
    max_min_parents_children,
)


class MMHC(StructureLearner):
    """Max-min hill climbing: tests choose the pairs, a greedy search of the score their arcs.

    Parameters
    ----------
    score, model, equivalent_sample_size, max_parents, tabu_length, max_iter, random_state, n_jobs
        As in :class:`HillClimb`.
    required, forbidden, tiers
        Background knowledge, as in :class:`HillClimb`.
    alpha : float, default=0.05
        Level of the tests that choose the pairs: G-tests, Fisher's z for a Gaussian model.
    max_cond_size : int, default=3
        Largest conditioning set of these tests.
    min_count : float, default=1.0
        Smallest mean count per cell; tests below it separate nothing.
    max_tests : int, default=200_000
        Most tests; pairs that they had not come to by then may be joined, with a warning.

    Attributes
    ----------
    graph_ : DAG
        Graph over the column names.
    score_ : float
        Its score.
    candidates_ : list of (column, column)
        Pairs the search was allowed to join.
    n_tests_ : int
        Tests made.
    fit_report_ : FitReport
        Scores along the way.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    Unknown values as in :class:`PC` for the tests and as in :class:`HillClimb` for the score.

    Examples
    --------
    >>> from margin.graphical import MMHC
    >>> rows = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]] * 20
    >>> MMHC().fit(rows).candidates_
    [(0, 1)]
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        score: str = "bic",
        model: str = "auto",
        equivalent_sample_size: float = 10.0,
        max_parents: int | None = None,
        tabu_length: int = 10,
        alpha: float = 0.05,
        max_cond_size: int = 3,
        min_count: float = 1.0,
        max_tests: int = 200_000,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        max_iter: int = 100_000,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.model = model
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.tabu_length = tabu_length
        self.alpha = alpha
        self.max_cond_size = max_cond_size
        self.min_count = min_count
        self.max_tests = max_tests
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph; parameters as in :meth:`HillClimb.fit`."""
        check.params(
            self,
            positive="equivalent_sample_size",
            nonnegative="min_count tabu_length max_cond_size",
            fraction="alpha",
            count="max_iter max_tests",
            one_of={"model": MODELS, "score": ("bic", "aic", "bdeu", "k2")},
        )
        self._check_parent_limit()
        data = read(self._name, X, self.model, sample_weight)
        known = self._knowledge(data.names)
        pairs, n_tests = max_min_parents_children(
            self._test(data),
            self.alpha,
            max_level=int(self.max_cond_size),
            max_tests=self.max_tests,
            knowledge=known,
        )
        narrowed = Knowledge(known.required, (known.forbidden | (1 - pairs)).astype(np.uint8))
        score = NetworkScore.of(
            self._name, data, self.score, equivalent_sample_size=self.equivalent_sample_size
        )
        how = Climb(
            max_parents=self.max_parents,
            tabu_length=int(self.tabu_length),
            max_iter=self.max_iter,
        )
        solution = hill_climb(
            score,
            how,
            narrowed,
            random.generator(self.random_state),
            n_threads=threads.count(self.n_jobs),
        )
        if n_tests >= self.max_tests and solution.status.ok:
            solution = replace(
                solution, status=Status.MAX_ITER, message=tests_used_up(self.max_tests)
            )
        names = data.names
        joined = np.argwhere(np.triu(pairs)).tolist()
        notes = (
            f"{n_tests} tests left {len(joined)} of {len(names) * (len(names) - 1) // 2} pairs",
        )
        graph = DAG.from_adjacency(solution.x, names)
        self._store(X, names, graph, solution.objective, check.report(self, solution, notes))
        self.candidates_ = [(names[i], names[j]) for i, j in joined]
        self.n_tests_ = n_tests
        return self

    def _test(self, data: Categories | Moments) -> IndependenceTest:
        if isinstance(data, Moments):
            return FisherZ(data)
        return GTest(data.compressed(), min_count=self.min_count)
