"""Gradient boosting for classification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from margin import losses
from margin.core import Card, atomic, available_if, check, two_probabilities
from margin.core.types import Floats, Ints
from margin.ensemble.boosting._answers import KnownProbabilities, scored
from margin.ensemble.boosting._fit_boosting import Sample
from margin.ensemble.boosting._gradient_boosting import GradientBoosting
from margin.ensemble.boosting._init_model import check_init, constant_classifier, fitted_init
from margin.ensemble.boosting._objective import (
    LogisticObjective,
    LossObjective,
    Objective,
)
from margin.ensemble.boosting._softmax_objective import SoftmaxObjective
from margin.losses import Loss
from margin.search import TreeRules
from margin.search.growing._tree_sum import Link


def _has_probabilities(model: Any) -> bool:
    return isinstance(model.loss, str | losses.Logistic | losses.Exponential | losses.Softmax)


class GradientBoostingClassifier(ClassifierMixin, GradientBoosting):
    r"""Classification by sums of trees, grown on the slopes of the loss so far (tree.14, tree.15).

    Two classes have one sum :math:`f`, the logarithm of the odds, with
    :math:`P(y = 1 \mid x) = 1 / (1 + e^{-f(x)})`; more classes have one each, joined by the
    softmax, and a stage adds a tree to every one.

    Parameters
    ----------
    loss : {"log_loss", "exponential"} or Loss, default="log_loss"
        ``"exponential"``, the loss of AdaBoost, and losses of the margin of :mod:`margin.losses`
        are for two classes.
    learning_rate : float, default=0.1
        Factor on every tree.
    n_estimators : int, default=100
        Stages.
    max_leaf_nodes : int or None, default=31
        Most leaves of a tree.
    max_depth : int or None, default=None
        Most steps to a leaf.
    min_samples_leaf : int, float or "auto", default="auto"
        Fewest rows of a leaf; a float is a share of all rows. ``"auto"``: 20, and below 400 rows
        one in twenty.
    min_samples_split : int or float, default=2
        Fewest rows of a node that is split; a float is a share of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the weight of a stage in a leaf. With weights and a loss whose curvatures
        are none, splits are then chosen by ``"squared_error"``.
    min_impurity_decrease : float, default=0.0
        A split must gain at least this times the weight of a stage.
    ccp_alpha : float, default=0.0
        Price of a leaf in the cost-complexity pruning of every tree, in the units of
        ``min_impurity_decrease``.
    criterion : {"newton", "squared_error"}, default="newton"
        What the gain of a split is: the fall of the quadratic model of the loss, or of the squared
        distance of the slopes from their means, as in scikit-learn; leaves have the same values.
        ``"deprecated"`` stands for the first, ``"friedman_mse"`` (deprecated) for the second.
    l2_regularization : float, default=0.0
        Ridge on the values of leaves.
    min_child_weight : float, default=1e-3
        Smallest sum of curvatures of a leaf.
    min_gain : float, default=0.0
        A split must gain more.
    max_bins : int, default=255
        Bins of a column, besides one for missing values.
    subsample : float, default=1.0
        Share of the rows that each stage is grown on.
    sampling : {"uniform", "goss"}, default="uniform"
        ``"goss"``: each stage keeps the fifth of the rows with the largest slopes and draws a
        tenth of the others, which then count for all of them.
    max_features : float, int, {"sqrt", "log2"} or None, default=None
        Columns drawn for each split, as a share or a number; None for all.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns of categories: those of categorical type in a frame, or a mask, numbers or names.
    monotonic_cst : array-like, mapping or None, default=None
        Per column 1 (the probability of the second class never falls), -1 (never rises) or 0; for
        two classes.
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sets or None, default=None
        Columns, by number or name, that may stand on one path of a tree.
    init : estimator, "zero" or None, default=None
        What the trees are added to: probabilities of a model, 0, or the best constant.
    class_weight : mapping, "balanced" or None, default=None
        Weights of the classes.
    early_stopping : bool, "auto" or None, default=None
        Whether to stop when ``scoring`` no longer rises; ``"auto"``: from 10 000 rows; None: if
        ``n_iter_no_change`` is given.
    scoring : str, callable or None, default="loss"
        What early stopping watches: the loss or a scorer.
    validation_fraction : float or None, default=0.1
        Share of rows that early stopping sets aside; None to watch the training loss.
    n_iter_no_change : int or None, default=None
        Stages without progress that end the fit; None stands for 10 where ``early_stopping`` asks
        to stop.
    tol : float, default=1e-4
        Progress that counts.
    warm_start : bool, default=False
        Whether ``fit`` adds stages to the model that is there.
    random_state : int, Generator, RandomState or None, default=None
        Source of samples, columns and rows set aside.
    n_jobs : int or None, default=None
        Threads; the trees do not depend on their number.
    verbose : int, default=0
        Whether to print the loss of stages: 1, of fewer and fewer of them; more, of all.

    Attributes
    ----------
    classes_ : ndarray
        Labels.
    n_classes_ : int
        Their number.
    forest_ : Forest
        The trees, stage after stage.
    baseline_ : ndarray of shape (n_outputs,)
        Constants that they are added to.
    train_score_, validation_score_ : ndarray of shape (n_stages,)
        Mean loss after every stage, of the rows it was grown on; score on the rows set aside (the
        loss, or of the scorer). Squares are not halved, and the loss of two classes is the
        deviance, twice the logistic loss.
    oob_scores_, oob_improvement_ : ndarray of shape (n_stages,)
        Mean loss of the rows that were not drawn, and its fall since the stage before, with
        ``subsample`` below 1.
    oob_score_ : float
        The last of them.
    estimators_ : ndarray of DecisionTreeRegressor of shape (n_stages, n_trees)
        The trees, each as an estimator of its own.
    n_trees_per_iteration_ : int
        Trees of a stage.
    max_features_ : int
        Columns looked at per split.
    n_iter_, n_estimators_ : int
        Stages.
    bins_ : Bins
        Bins of the columns.
    category_columns_ : CategoryColumns or None
        Categories of the columns that have any.
    init_ : estimator or "zero"
        The model that the trees are added to, fitted; by default one that answers the constant.
    n_features_in_ : int
        Columns of ``X``.
    feature_importances_ : ndarray of shape (n_features,)
        Shares in the gains of all splits.
    fit_report_ : FitReport
        How the fit went.

    Notes
    -----
    As for :class:`GradientBoostingRegressor`. Newton's steps for the softmax take the diagonal of
    its curvature times :math:`K / (K - 1)`.

    References
    ----------
    Friedman, Hastie and Tibshirani (2000), Additive logistic regression; Friedman (2001).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (400, 2))
    >>> model = GradientBoostingClassifier().fit(X, X[:, 0] * X[:, 1] > 0)
    >>> model.predict([[0.5, 0.5], [0.5, -0.5]])
    array([ True, False])
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={
            "n_estimators": [300],
            "early_stopping": [False, True],
            "learning_rate": [0.05, 0.1, 0.2],
            "max_leaf_nodes": [7, 31],
        },
    )

    def __init__(
        self,
        *,
        loss: str | Loss = "log_loss",
        learning_rate: float = 0.1,
        n_estimators: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int | float | str = "auto",
        min_samples_split: int | float = 2,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        criterion: str = "newton",
        l2_regularization: float = 0.0,
        min_child_weight: float = 1e-3,
        min_gain: float = 0.0,
        max_bins: int = 255,
        subsample: float = 1.0,
        sampling: str = "uniform",
        max_features: Any = None,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        init: Any = None,
        class_weight: Any = None,
        early_stopping: bool | str | None = None,
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int | None = None,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.n_estimators = n_estimators
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_samples_split = min_samples_split
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.criterion = criterion
        self.l2_regularization = l2_regularization
        self.min_child_weight = min_child_weight
        self.min_gain = min_gain
        self.max_bins = max_bins
        self.subsample = subsample
        self.sampling = sampling
        self.max_features = max_features
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.init = init
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @atomic
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, monitor: Any = None
    ) -> GradientBoostingClassifier:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            NaN is missing; categories as ``categorical_features`` says.
        y : array-like of shape (n_samples,)
            Labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; rows of weight zero are as good as absent.
        monitor : callable, optional
            Called after every stage as ``monitor(i, self, variables)``, with the number of the
            stage from 0, the model so far, and a mapping of the rows, weights and scores it has
            learnt from; the fit ends if it answers True. It costs a copy of all trees each time.

        Returns
        -------
        self : GradientBoostingClassifier
        """
        rules = self._check_params()
        warm = self.warm_start and hasattr(self, "forest_")
        X, y, weight = check.data(
            self,
            self._learn_categories(X, again=warm),
            y,
            sample_weight,
            target="classes",
            sparse=True,
            missing=True,
        )
        labels, codes = self._labels(y, weight)
        if warm and not np.array_equal(labels, vars(self)["classes_"]):
            raise check.fail(self, "y", "of the classes fitted, with warm_start=True", labels)
        self.classes_, self.n_classes_ = labels, len(labels)
        self._check_classes()
        if self.class_weight is not None:
            own = compute_sample_weight(self.class_weight, y)
            weight = own if weight is None else weight * own
        self._learn(rules, Sample(X, codes, weight), monitor, stratify=True)
        return self

    def _labels(self, y: NDArray[Any], weight: Floats | None) -> tuple[NDArray[Any], Ints]:
        """Labels and codes; labels that have no weight at all are kept, without rows."""
        labels, wide = check.classes(self, y)
        codes = wide.astype(np.int32)
        if weight is not None and len(np.unique(codes[weight > 0])) < 2:
            raise ValueError(
                f"{type(self).__name__}: y must have at least 2 classes of positive weight: y "
                "contains 1 class after sample_weight trimmed classes with zero weights, while a "
                "minimum of 2 classes are required."
            )
        return labels, codes

    def _check_classes(self) -> None:
        two = len(self.classes_) == 2
        if isinstance(self.loss, Loss):
            form = self.loss.form
            fits = (form == "margin" and two) or isinstance(self.loss, losses.Softmax)
            if not fits or self.loss.piecewise_constant:
                need = "a loss of the margin of two classes, or Softmax()"
                raise check.fail(self, "loss", need, self.loss)
        elif self.loss not in ("log_loss", "exponential"):
            need = "'log_loss', 'exponential' or a loss of margin.losses"
            raise check.fail(self, "loss", need, self.loss)
        elif self.loss == "exponential" and not two:
            raise ValueError(
                f"{type(self).__name__}: loss must be 'log_loss' for more than 2 classes: "
                "loss='exponential' is only suitable for a binary classification, got "
                f"{self.loss!r} for {len(self.classes_)}"
            )
        if not two and self.monotonic_cst is not None:
            raise check.fail(
                self, "monotonic_cst", "None for more than 2 classes", self.monotonic_cst
            )

    def _objective(self, y: NDArray[Any], weight: Floats | None, n_threads: int) -> Objective:
        if len(self.classes_) > 2 or isinstance(self.loss, losses.Softmax):
            return SoftmaxObjective(y, weight, len(self.classes_), n_threads)
        if isinstance(self.loss, losses.Logistic) or self.loss == "log_loss":
            return LogisticObjective(y.astype(np.float64), weight, n_threads)
        loss = losses.Exponential() if isinstance(self.loss, str) else self.loss
        return LossObjective((loss,), loss.targets(2.0 * y - 1.0), weight)

    def _check_params(self) -> TreeRules:
        check_init(self, self.init, "predict_proba")
        return super()._check_params()

    def _fit_init(self, sample: Sample) -> Any:
        if self.init is None or isinstance(self.init, str):
            return self.init
        return fitted_init(self, self.init, sample.X, self.classes_[sample.y], sample.weight)

    @property
    def init_(self) -> Any:
        """The model that the trees are added to."""
        check_is_fitted(self)
        if self._init_model is not None:
            return self._init_model
        share = self._probabilities(self.baseline_[None, :])[0]
        return constant_classifier(self.classes_, share, self.n_features_in_)

    def _offset(self, X: Any) -> Floats | None:
        if self._init_model is None:
            return None
        outputs = len(self.classes_)
        outputs = 1 if outputs == 2 and not isinstance(self.loss, losses.Softmax) else outputs
        if isinstance(self._init_model, str):
            return np.zeros((X.shape[0], outputs))
        log_share = np.log(np.clip(self._init_model.predict_proba(X), 1e-12, 1.0))
        if outputs > 1:
            return np.asarray(log_share)
        odds = log_share[:, 1:] - log_share[:, :1]
        return np.asarray(odds / self._score_scale)

    @property
    def _link(self) -> Link:
        if len(self.baseline_) > 1:
            return "softmax"
        return "logistic" if _has_probabilities(self) else "identity"

    @property
    def _score_scale(self) -> float:
        return 2.0 * getattr(self.loss, "beta", 1.0) if self._is_exponential() else 1.0

    def _is_exponential(self) -> bool:
        return self.loss == "exponential" or isinstance(self.loss, losses.Exponential)

    def _probabilities(self, raw: Floats) -> Floats:
        if raw.shape[1] > 1:
            return np.asarray(softmax(raw, axis=1))
        score = raw[:, 0]
        if self._is_exponential():
            score = self._score_scale * score
        return two_probabilities(score)

    def _decided(self, raw: Floats) -> NDArray[Any]:
        if raw.shape[1] > 1:
            return np.asarray(self.classes_[np.argmax(raw, axis=1)])
        return np.asarray(self.classes_[(raw[:, 0] > 0).astype(np.intp)])

    def _score(self, X: Any, y: NDArray[Any], weight: Floats | None, raw: Floats) -> float:
        known = KnownProbabilities(self._probabilities(raw.T), self.classes_)
        return scored(known, self.scoring, X, self.classes_[y], weight)

    def decision_function(self, X: Any) -> Floats:
        """Scores: of the second class for two, of shape (n_samples, n_classes) for more."""
        raw = self._raw(X)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes."""
        return self._probabilities(self._raw(X))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row."""
        return self._decided(self._raw(X))

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Leaf of each row in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int of shape (n_samples, n_stages, n_trees)
        """
        return self._leaves(X)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Scores after every stage."""
        for raw in self._staged_raw(X):
            yield raw[:, 0] if raw.shape[1] == 1 else raw

    @available_if(_has_probabilities)
    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Probabilities after every stage."""
        for raw in self._staged_raw(X):
            yield self._probabilities(raw)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Classes after every stage."""
        for raw in self._staged_raw(X):
            yield self._decided(raw)
