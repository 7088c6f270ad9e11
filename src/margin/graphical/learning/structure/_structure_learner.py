"""What every learner of structure stores, and what it is told of the arcs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.core import FitReport, check
from margin.graphs import DAG, PDAG
from margin.search import Knowledge


class StructureLearner(ABC, BaseEstimator):
    """Estimator of a graph over the columns of a frame; abstract."""

    required: Any
    forbidden: Any
    tiers: Any
    max_parents: int | None

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the graph."""

    @property
    def _name(self) -> str:
        """Class that messages name."""
        return type(self).__name__

    def _knowledge(self, names: Sequence[Any]) -> Knowledge:
        """Background knowledge in ``required``, ``forbidden`` and ``tiers``."""
        return Knowledge.of(
            self._name,
            names,
            required=self.required,
            forbidden=self.forbidden,
            tiers=self.tiers,
        )

    def _check_parent_limit(self) -> None:
        """Refuse a ``max_parents`` that is neither ``None`` nor a whole number."""
        if self.max_parents is not None:
            check.params(self, count="max_parents")

    def _store(
        self,
        X: Any,
        names: Sequence[Any],
        graph: DAG | PDAG,
        score: float | None,
        report: FitReport,
    ) -> None:
        """Keep what every learner has."""
        self.graph_ = graph
        self.score_ = score
        self.n_features_in_ = len(names)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.fit_report_ = report
