"""Regression by the nearest few."""

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin

from margin.core import Card, atomic, check
from margin.core.types import Array, Floats, Indices
from margin.distributions import Empirical
from margin.neighbors.models._k_neighbors import KNeighborsMixin
from margin.neighbors.models._number_targets import NumberTargets
from margin.neighbors.models._votes import check_weighting, means, row_weights


class KNeighborsRegressor(RegressorMixin, KNeighborsMixin):
    r"""Regression by the mean of the nearest rows (neighbors.01, neighbors.05).

    .. math:: \hat y(q) = \frac{\sum_{i \in N_k(q)} w_i\, y_i}{\sum_{i \in N_k(q)} w_i}

    with the ``n_neighbors`` nearest rows :math:`N_k(q)`.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many rows are averaged.
    weights : {"uniform", "distance"} or callable, default="uniform"
        Rows count the same, or the inverse of their distance (rows at distance zero alone), or
        what a function makes of the array of distances: a kernel there makes it the regression of
        Nadaraya and Watson.
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

    Examples
    --------
    >>> from margin.neighbors import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0], [1], [2], [3]], [0, 0, 1, 3])
    >>> model.predict([[1.6], [2.6]])
    array([0.5, 2. ])
    >>> model.predict_dist([[2.6]]).quantile(0.9)
    array([3.])
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={"n_neighbors": [2, 4, 7, 12, 20, 35], "weights": ["uniform", "distance"]},
        max_rows=200_000,
    )

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
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
        check.params(self, count="n_neighbors")
        check_weighting(self, self.weights)
        X, y = self._training(X, y, supervised=True)
        self._check_enough(X)
        targets = NumberTargets.of(self, y)
        self._keep(X)
        self._targets = targets
        return self

    def predict(self, X: Any) -> Array:
        """Mean of the targets of the nearest rows.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None predicts each row of the fit from the others.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_outputs)
        """
        number, weight = self._neighbours(X)
        targets = self._targets
        return targets.shaped(means(targets.values[number], weight))

    def predict_dist(self, X: Any) -> Empirical:
        """The targets of the nearest rows as a distribution, with their weights.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None answers for each row of the fit from the others.

        Returns
        -------
        margin.distributions.Empirical
            One for every query, and for every target if there are several.
        """
        number, weight = self._neighbours(X)
        values = self._targets.values[number]
        if weight is not None:
            # What counts nothing must not make squares of infinite size either.
            values = np.where(weight[:, :, None] > 0, values, _heaviest(values, weight))
        atoms = np.moveaxis(values, 1, 2)
        if not self._targets.many:
            return Empirical(atoms[:, 0], weight)
        return Empirical(atoms, None if weight is None else weight[:, None, :])

    def _neighbours(self, X: Any) -> tuple[Indices, Floats | None]:
        distance, number = self._nearest(X)
        return number, row_weights(self.weights, distance)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _heaviest(values: Floats, weight: Floats) -> Floats:
    """Target of the neighbour that counts most, for every query."""
    first = weight.argmax(axis=1)[:, None, None]
    return np.asarray(np.take_along_axis(values, first, axis=1))
