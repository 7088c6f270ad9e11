"""Classification by all rows within a radius."""

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from margin.core import Card, atomic
from margin.core.types import Array, Bools, Floats
from margin.neighbors.models._class_targets import ClassTargets
from margin.neighbors.models._outlier_labels import OutlierLabels
from margin.neighbors.models._radius_neighbors import RadiusNeighborsMixin, check_radius
from margin.neighbors.models._votes import check_weighting, list_weights, pair_votes, shares


class RadiusNeighborsClassifier(ClassifierMixin, RadiusNeighborsMixin):
    r"""Classification by a vote of all rows within a radius (neighbors.01).

    .. math:: \hat p(c \mid q) = \frac{\sum_{i : d(q, x_i) \le r} w_i [y_i = c]}
              {\sum_{i : d(q, x_i) \le r} w_i}

    A query without any row in its radius is an outlier: it gets ``outlier_label``, or is refused.

    Parameters
    ----------
    radius : float, default=1.0
        How far rows may be.
    weights : {"uniform", "distance"} or callable, default="uniform"
        Votes count the same, or the inverse of the distance (rows at distance zero outvote all
        others), or what a function makes of the array of arrays of distances.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are searched for, see :class:`NearestNeighbors`; the answer does not depend
        on it.
    leaf_size : int, default=30
        Rows of a leaf of a tree, rounded up to blocks of 16.
    p : float, default=2
        Power of the Minkowski distance.
    metric : str, callable or Kernel, default="minkowski"
        As for :class:`NearestNeighbors`.
    outlier_label : label, "most_frequent", list of them or None, default=None
        Class of queries without neighbours; None refuses them.
    metric_params : dict, optional
        Further parameters of the metric.
    n_jobs : int, optional
        Threads that share the queries, all by default.

    Attributes
    ----------
    classes_ : ndarray or list of ndarray
        Sorted labels, of every target if there are several.
    outputs_2d_ : bool
        Whether ``y`` was a table.
    outlier_label_ : label, list of them or None
        Class of queries without neighbours.
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
    >>> from margin.neighbors import RadiusNeighborsClassifier
    >>> model = RadiusNeighborsClassifier(radius=1.0, outlier_label="a")
    >>> model.fit([[0], [1], [5]], ["a", "a", "b"]).predict([[0.4], [4.5], [20.0]])
    array(['a', 'b', 'a'], dtype='<U1')
    """

    card = Card(tasks=("classification",), cost="quadratic", on_request=True, max_rows=200_000)

    def __init__(
        self,
        radius: float = 1.0,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        outlier_label: Any = None,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.outlier_label = outlier_label
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows and their classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or distances of shape (n_samples, n_samples) for the metric ``"precomputed"``.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Classes.

        Returns
        -------
        self
        """
        self._check_search()
        check_radius(self, self.radius)
        check_weighting(self, self.weights)
        X, y = self._training(X, y, supervised=True)
        targets = ClassTargets.of(y)
        outliers = OutlierLabels.of(self, self.outlier_label, targets)
        self._keep(X)
        self._targets, self._outliers = targets, outliers
        self.classes_, self.outputs_2d_ = targets.shown, targets.many
        self.outlier_label_ = outliers.shown
        return self

    def predict(self, X: Any) -> Array:
        """Class with the most votes, of every target.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None predicts each row of the fit from the others.

        Returns
        -------
        ndarray of shape (n_queries,) or (n_queries, n_outputs)
        """
        totals, lonely = self._votes(X)
        self._warn_of_strangers(lonely)
        codes = np.column_stack([table.argmax(axis=1) for table in totals])
        # An outlier that votes for a known class has it already; others are written in.
        return self._outliers.into(self._targets.labels(codes), lonely)

    def predict_proba(self, X: Any) -> Any:
        """Share of the votes of each class; zeros for outliers whose label is no class.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None predicts each row of the fit from the others.

        Returns
        -------
        ndarray of shape (n_queries, n_classes), or a list of them for several targets
        """
        totals, lonely = self._votes(X)
        self._warn_of_strangers(lonely)
        tables = [shares(table) for table in totals]
        for table, code in zip(tables, self._outliers.codes, strict=False):
            if code >= 0:
                table[lonely, code] = 1.0
        return self._targets.probabilities(tables)

    def _warn_of_strangers(self, lonely: Bools) -> None:
        if not lonely.any():
            return
        for label, code in zip(self._outliers.labels, self._outliers.codes, strict=True):
            if code < 0:
                warnings.warn(
                    f"Outlier label {label} is not in training classes. "
                    "All class probabilities of outliers will be assigned with 0.",
                    stacklevel=3,
                )

    def _votes(self, X: Any) -> tuple[list[Floats], Bools]:
        near = self._within(X)
        lonely = near.counts == 0
        if lonely.any() and not self._outliers.labels:
            raise ValueError(
                f"{type(self).__name__}: No neighbors found for test samples "
                f"{np.flatnonzero(lonely)}, you can try using larger radius, giving a label for "
                "outliers, or considering removing them from your dataset."
            )
        weight = list_weights(self.weights, near)
        columns = zip(self._targets.codes.T, self._targets.classes, strict=True)
        totals = [
            pair_votes(near.queries, codes[near.number], weight, (len(lonely), len(labels)))
            for codes, labels in columns
        ]
        return totals, lonely

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy, of all targets at once if there are several.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None scores each row of the fit as predicted from the others.
        y : array-like
            True classes.
        sample_weight : array-like of shape (n_queries,), optional
            Weights of the queries.

        Returns
        -------
        float
        """
        return float(super().score(X, y, sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags
