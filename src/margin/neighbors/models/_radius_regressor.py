"""Regression by all rows within a radius."""

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from margin.core import Card, atomic
from margin.core.types import Array
from margin.neighbors.models._number_targets import NumberTargets
from margin.neighbors.models._radius_neighbors import RadiusNeighborsMixin, check_radius
from margin.neighbors.models._votes import check_weighting, list_means, list_weights


class RadiusNeighborsRegressor(RegressorMixin, RadiusNeighborsMixin):
    r"""Regression by the mean of all rows within a radius (neighbors.01, neighbors.05).

    .. math:: \hat y(q) = \frac{\sum_{i : d(q, x_i) \le r} w_i\, y_i}
              {\sum_{i : d(q, x_i) \le r} w_i}

    With a kernel of compact support for ``weights`` this is the regression of Nadaraya and Watson.

    Parameters
    ----------
    radius : float, default=1.0
        How far rows may be.
    weights : {"uniform", "distance"} or callable, default="uniform"
        Rows count the same, or the inverse of their distance (rows at distance zero alone), or
        what a function makes of the array of arrays of distances.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are searched for, see :class:`NearestNeighbors`; the answer does not depend
        on it.
    leaf_size : int, default=30
        Rows of a leaf of a tree, rounded up to blocks of 16.
    p : float, default=2
        Power of the Minkowski distance.
    metric : str, callable or Kernel, default="minkowski"
        As for :class:`NearestNeighbors`.
    metric_params : dict, optional
        Further parameters of the metric.
    n_jobs : int, optional
        Threads that share the queries, all by default.

    Attributes
    ----------
    effective_metric_ : str, callable or Kernel
        The metric in its simplest terms.
    effective_metric_params_ : dict
        Its parameters.
    n_samples_fit_ : int
        Rows of the fit.
    search_method_ : {"brute", "kd_tree", "ball_tree"}
        How neighbours are searched for.
    search_reason_ : str
        Why so.
    fit_report_ : FitReport
        How the rows are searched; there is nothing to optimise.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    The rows are the model: :math:`O(n p)` per query, or about :math:`O(\log n)` where a tree helps.
    A query without rows in its radius gets NaN, with a warning.

    Examples
    --------
    >>> from margin.neighbors import RadiusNeighborsRegressor
    >>> model = RadiusNeighborsRegressor(radius=1.0).fit([[0], [1], [2], [3]], [0, 0, 1, 3])
    >>> model.predict([[1.5], [3.2]])
    array([0.5, 3. ])
    """

    card = Card(tasks=("regression",), cost="quadratic", on_request=True, max_rows=200_000)

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows and their targets.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or distances of shape (n_samples, n_samples) for the metric ``"precomputed"``.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.

        Returns
        -------
        self
        """
        self._check_search()
        check_radius(self, self.radius)
        check_weighting(self, self.weights)
        X, y = self._training(X, y, supervised=True)
        targets = NumberTargets.of(self, y)
        self._keep(X)
        self._targets = targets
        return self

    def predict(self, X: Any) -> Array:
        """Mean of the targets within the radius; NaN, with a warning, where there are none.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None predicts each row of the fit from the others.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_outputs)
        """
        near = self._within(X)
        mean = list_means(near, self._targets.values, list_weights(self.weights, near))
        if alone := int(np.sum(near.counts == 0)):
            warnings.warn(
                f"{type(self).__name__}: {alone} of {len(near.counts)} queries have no row within "
                "radius: One or more samples have no neighbors within specified radius; predicting "
                "NaN.",
                stacklevel=2,
            )
        return self._targets.shaped(mean)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
