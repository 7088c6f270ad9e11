"""What every learner of causal graphs is told and stores."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.causal.graph._causal_graph import CausalGraph
from margin.core.types import Floats
from margin.search import Knowledge


class Discoverer(ABC, BaseEstimator):
    """Estimator of a causal graph over the columns of a frame; abstract."""

    required: Any
    forbidden: Any
    tiers: Any

    @abstractmethod
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the graph."""

    def _knowledge(self, names: Sequence[Any]) -> Knowledge:
        """Background knowledge in ``required``, ``forbidden`` and ``tiers``."""
        return Knowledge.of(
            type(self).__name__,
            names,
            required=self.required,
            forbidden=self.forbidden,
            tiers=self.tiers,
        )

    def _keep_names(self, X: Any, names: Sequence[Any]) -> None:
        self.n_features_in_ = len(names)
        if hasattr(X, "columns"):
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_


def graph_of(adjacency: Floats, names: Sequence[Any]) -> CausalGraph:
    """Graph with the arrow j -> i wherever ``adjacency[i, j]`` is not zero.

    Examples
    --------
    >>> graph_of(np.array([[0.0, 0.0], [2.0, 0.0]]), ["dose", "cure"]).directed
    (('dose', 'cure'),)
    """
    arrows = [(names[j], names[i]) for i, j in np.argwhere(adjacency).tolist()]
    return CausalGraph(names, arrows)
