"""The best structure, exactly."""

from dataclasses import replace
from typing import Any, Self

import numpy as np

from margin.core import Card, Status, atomic, check, threads
from margin.graphical.learning.structure._structure_learner import StructureLearner
from margin.graphical.learning.structure._table import MODELS, read
from margin.graphs import DAG
from margin.search import (
    Categories,
    Knowledge,
    Moments,
    NetworkScore,
    exact_search,
    largest_sets,
    useful_parents,
)

MOST_NODES = 20


class ExactSearch(StructureLearner):
    """Bayesian network of globally best score, by dynamic programming over sets of columns.

    Parameters
    ----------
    score, model, equivalent_sample_size, max_parents, required, forbidden, tiers, n_jobs
        As in :class:`HillClimb`.
    max_work : float, default=4e9
        Steps of the counting, where a second has room for some 10⁸. Where all sets of parents
        would need more, the larger ones are left out, with a warning: the graph is the best of
        those with fewer parents.

    Attributes
    ----------
    graph_ : DAG
        A graph of best score; those of its Markov equivalence class are as good (K2 apart).
    score_ : float
        Its score.
    fit_report_ : FitReport
        The size of the search.
    n_features_in_ : int
        Columns seen in ``fit``.
    feature_names_in_ : ndarray
        Their names, when the frame had them.

    Notes
    -----
    For p columns, memory of p 2^p numbers: 168 MB for 20, the most allowed. Without
    ``max_parents`` p 2^(p - 1) families are counted; with BIC and AIC, of categories without gaps,
    only those of so few parents that their likelihood can pay for the penalty: some log2(n) of n
    rows. Unknown values as in :class:`HillClimb`.

    Examples
    --------
    >>> from margin.graphical import ExactSearch
    >>> rows = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]] * 50
    >>> ExactSearch(score="bdeu").fit(rows).graph_.edges
    ((1, 0), (2, 0))
    """

    card = Card(tasks=("structure",), input="categorical")

    def __init__(
        self,
        *,
        score: str = "bic",
        model: str = "auto",
        equivalent_sample_size: float = 10.0,
        max_parents: int | None = None,
        max_work: float = 4e9,
        required: Any = None,
        forbidden: Any = None,
        tiers: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.score = score
        self.model = model
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.max_work = max_work
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph; parameters as in :meth:`HillClimb.fit`."""
        check.params(
            self,
            positive="equivalent_sample_size max_work",
            one_of={"model": MODELS, "score": ("bic", "aic", "bdeu", "k2")},
        )
        self._check_parent_limit()
        data = read(self._name, X, self.model, sample_weight)
        if len(data.names) > MOST_NODES:
            n = len(data.names)
            size = f"{n} (2^{n} sets); use HillClimb"
            raise check.fail(self, "X", f"of at most {MOST_NODES} columns", size)
        score = NetworkScore.of(
            self._name, data, self.score, equivalent_sample_size=self.equivalent_sample_size
        )
        known = self._knowledge(data.names)
        wanted = self._wanted(data, known)
        affordable = self._affordable(data)
        solution = exact_search(
            score,
            known,
            max_parents=min(wanted, affordable),
            n_threads=threads.count(self.n_jobs),
        )
        if affordable < wanted and solution.status.ok:
            told = f"sets of more than {affordable} parents left out within {self.max_work:g} steps"
            solution = replace(
                solution, status=Status.MAX_ITER, message=f"{told}; set max_parents or max_work"
            )
        report = check.report(self, solution)
        graph = DAG.from_adjacency(solution.x, data.names)
        self._store(X, data.names, graph, solution.objective, report)
        return self

    def _wanted(self, data: Categories | Moments, known: Knowledge) -> int:
        """Most parents that are asked for and may be of use."""
        limits = [len(data.names) - 1, self.max_parents]
        if isinstance(data, Categories) and not known.required.any() and not data.incomplete.any():
            limits.append(useful_parents(data.total, self.score))
        return min(limit for limit in limits if limit is not None)

    def _affordable(self, data: Categories | Moments) -> int:
        """Most parents of which all sets can be scored within the work."""
        rows, states = 1, 1.0
        if isinstance(data, Categories):
            rows, states = data.compressed().n_rows, float(np.median(data.cards))
        return largest_sets(len(data.names), rows, states, self.max_work)
