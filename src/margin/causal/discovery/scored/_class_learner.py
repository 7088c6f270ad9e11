"""What learners of equivalence classes share."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from margin.causal.discovery._discoverer import Discoverer
from margin.causal.discovery.scored._scored_columns import MODELS, network_score
from margin.core import check, threads
from margin.graphs import PDAG
from margin.search import ClassClimb, climb_classes


class ClassLearner(Discoverer):
    """Estimator of an equivalence class by greedy search; abstract."""

    score: str
    model: str
    equivalent_sample_size: float
    turning: bool
    max_degree: int | None
    max_iter: int
    max_work: int
    tol: float
    n_jobs: int | None

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the class."""

    def _learn(self, X: Any, sample_weight: Any, targets: Any = None) -> Self:
        """Check, search, store."""
        check.params(
            self,
            positive="equivalent_sample_size",
            nonnegative="tol",
            count="max_iter max_work",
            flag="turning",
            one_of={"model": MODELS, "score": ("bic", "aic", "bdeu")},
        )
        if self.max_degree is not None:
            check.params(self, count="max_degree")
        score, plan = network_score(
            type(self).__name__,
            X,
            self.model,
            self.score,
            sample_size=self.equivalent_sample_size,
            targets=targets,
            max_degree=self.max_degree,
            sample_weight=sample_weight,
        )
        known = self._knowledge(score.names)
        how = ClassClimb(
            turning=self.turning,
            max_degree=self.max_degree,
            max_iter=self.max_iter,
            max_work=self.max_work,
            tol=self.tol,
        )
        solution = climb_classes(
            score,
            how,
            known,
            separated=plan.separated,
            n_threads=threads.count(self.n_jobs),
        )
        report = check.report(self, solution, (f"{score.n_evaluated} families scored",))
        self.graph_ = PDAG.from_adjacency(solution.x.astype(np.int8), score.names)
        self.score_ = solution.objective
        self.n_families_ = score.n_evaluated
        self._keep_names(X, score.names)
        self.fit_report_ = report
        return self
