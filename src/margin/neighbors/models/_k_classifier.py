"""Classification by the nearest few."""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from margin.core import Card, atomic, check
from margin.core.types import Array, Floats
from margin.neighbors.models._class_targets import ClassTargets
from margin.neighbors.models._k_neighbors import KNeighborsMixin
from margin.neighbors.models._votes import check_weighting, row_weights, shares, votes


class KNeighborsClassifier(ClassifierMixin, KNeighborsMixin):
    r"""Classification by a vote of the nearest rows (neighbors.01).

    .. math:: \hat p(c \mid q) = \frac{\sum_{i \in N_k(q)} w_i [y_i = c]}{\sum_{i \in N_k(q)} w_i}

    with the ``n_neighbors`` nearest rows :math:`N_k(q)`; one neighbour is the nearest-neighbour
    rule. Of classes with equal votes the first wins.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many rows vote.
    weights : {"uniform", "distance"} or callable, default="uniform"
        Votes count the same, or the inverse of the distance (rows at distance zero outvote all
        others), or what a function makes of the array of distances.
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
    classes_ : ndarray or list of ndarray
        Sorted labels, of every target if there are several.
    outputs_2d_ : bool
        Whether ``y`` was a table.
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

    References
    ----------
    T. Cover and P. Hart, Nearest neighbor pattern classification, IEEE Trans. Inf. Theory 13
    (1967).

    Examples
    --------
    >>> from margin.neighbors import KNeighborsClassifier
    >>> model = KNeighborsClassifier(n_neighbors=3).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict([[1.1]]), model.predict_proba([[0.9]]).round(2)
    (array([0]), array([[0.67, 0.33]]))
    """

    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"n_neighbors": [1, 3, 5, 9, 15, 25], "weights": ["uniform", "distance"]},
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
        check.params(self, count="n_neighbors")
        check_weighting(self, self.weights)
        X, y = self._training(X, y, supervised=True)
        self._check_enough(X)
        targets = ClassTargets.of(y)
        self._keep(X)
        self._targets = targets
        self.classes_, self.outputs_2d_ = targets.shown, targets.many
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
        totals = self._votes(X)
        codes = np.column_stack([table.argmax(axis=1) for table in totals])
        return self._targets.labels(codes)

    def predict_proba(self, X: Any) -> Any:
        """Share of the votes of each class, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), or None
            None predicts each row of the fit from the others.

        Returns
        -------
        ndarray of shape (n_queries, n_classes), or a list of them for several targets
        """
        tables = [shares(table) for table in self._votes(X)]
        return self._targets.probabilities(tables)

    def _votes(self, X: Any) -> list[Floats]:
        distance, number = self._nearest(X)
        weight = row_weights(self.weights, distance)
        if weight is not None and (weight == 0).all(axis=1).any():
            raise ValueError(
                f"{type(self).__name__}: All neighbors of some sample is getting zero weights. "
                "Please modify 'weights' to avoid this case if you are using a user-defined "
                "function."
            )
        columns = zip(self._targets.codes.T, self._targets.classes, strict=True)
        return [votes(codes[number], weight, len(labels)) for codes, labels in columns]

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
