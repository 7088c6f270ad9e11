"""Gradient boosting for regression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from margin import losses
from margin.core import Card, atomic, available_if, check
from margin.core.types import Floats
from margin.distributions import Empirical
from margin.ensemble.boosting._answers import KnownNumbers, scored
from margin.ensemble.boosting._fit_boosting import Sample
from margin.ensemble.boosting._gradient_boosting import GradientBoosting
from margin.ensemble.boosting._init_model import check_init, constant_regressor, fitted_init
from margin.ensemble.boosting._leaf_values import weighted_quantile
from margin.ensemble.boosting._objective import (
    LossObjective,
    Objective,
    SquaredObjective,
    huber_of,
)
from margin.losses import Loss
from margin.search import TreeRules
from margin.search.growing._tree_sum import Link

_WORDS = ("squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma")
_LARGEST = 1e37  # slopes are kept in single precision


class GradientBoostingRegressor(RegressorMixin, GradientBoosting):
    r"""Regression by a sum of trees, each grown on slopes of the loss (tree.14, tree.15).

    .. math:: f_m(x) = f_{m-1}(x) + \nu \, h_m(x), \qquad
        h_m \approx \arg\min_h \sum_i w_i \, \ell(f_{m-1}(x_i) + h(x_i), y_i)

    The tree :math:`h_m` is grown on :math:`g_i = \partial \ell / \partial f_i` and the curvatures;
    a leaf has the value :math:`-G / (H + \lambda)`, or, where the loss has no curvature, the one
    that minimises the loss (line search).

    Parameters
    ----------
    loss : str or Loss, default="squared_error"
        ``"squared_error"``, ``"absolute_error"``, ``"huber"``, ``"quantile"``, ``"poisson"`` and
        ``"gamma"`` (both with a logarithmic link), or any loss of :mod:`margin.losses` of a
        residual or a count.
    learning_rate : float, default=0.1
        Factor :math:`\nu` on every tree.
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
        Ridge :math:`\lambda` on the values of leaves.
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
        Per column 1 (the answer never falls), -1 (never rises) or 0.
    interaction_cst : {"pairwise", "no_interactions"}, sequence of sets or None, default=None
        Columns, by number or name, that may stand on one path of a tree.
    init : estimator, "zero" or None, default=None
        What the trees are added to: predictions of a model, 0, or the best constant.
    quantile : float, sequence of float or None, default=None
        Level of the quantile loss; several levels are learnt side by side, ``predict`` answers the
        one nearest to the median, and ``predict_dist`` all. None stands for ``alpha``.
    alpha : float, default=0.9
        Level of the quantile loss, and share of the residuals that the Huber loss squares, by a
        limit that is found anew in every stage.
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
    forest_ : Forest
        The trees.
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
    losses_ : tuple of Loss
        What is minimised, one per output; for ``"huber"`` in the first stage.
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
    :math:`O(n p)` for each level of each tree; two bytes per entry of ``X`` and some forty per row.
    NaN goes to the side of a split where it does better, or with the larger part where there was
    none. Numbers of rows per bin are estimated from the curvature while splits are searched; the
    least size of leaves holds exactly.

    References
    ----------
    Friedman (2001), Greedy function approximation; Ke et al. (2017), LightGBM.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 1, 200).reshape(-1, 1)
    >>> y = np.where(X[:, 0] > 0.5, 3.0, 1.0)
    >>> model = GradientBoostingRegressor().fit(X, y)
    >>> model.predict([[0.2], [0.9]]).round(3)
    array([1., 3.])
    """

    card = Card(
        tasks=("regression",),
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
        loss: str | Loss = "squared_error",
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
        quantile: Any = None,
        alpha: float = 0.9,
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
        self.quantile = quantile
        self.alpha = alpha
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
    ) -> GradientBoostingRegressor:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            NaN is missing; categories as ``categorical_features`` says.
        y : array-like of shape (n_samples,)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            Weights; rows of weight zero are as good as absent.
        monitor : callable, optional
            Called after every stage as ``monitor(i, self, variables)``, with the number of the
            stage from 0, the model so far, and a mapping of the rows, weights and scores it has
            learnt from; the fit ends if it answers True. It costs a copy of all trees each time.

        Returns
        -------
        self : GradientBoostingRegressor
        """
        rules = self._check_params()
        levels = self._levels()
        warm = self.warm_start and hasattr(self, "forest_")
        X, y, weight = check.data(
            self,
            self._learn_categories(X, again=warm),
            y,
            sample_weight,
            sparse=True,
            missing=True,
        )
        heaviest = 1.0 if weight is None else max(1.0, float(weight.max(initial=1.0)))
        if np.abs(y).max(initial=0.0) * heaviest > _LARGEST:
            need = f"at most {_LARGEST:g} in size, also times a weight"
            raise check.fail(self, "y", need, float(np.abs(y).max()))
        self.losses_ = self._losses(y, weight, levels)
        y = np.ascontiguousarray(self.losses_[0].targets(y))
        self._learn(rules, Sample(X, y, weight), monitor, stratify=False)
        return self

    def _levels(self) -> tuple[float, ...]:
        """Levels of the quantile loss, rising."""
        check.params(self, fraction="alpha")
        name = "alpha" if self.quantile is None else "quantile"
        given = getattr(self, name)
        try:
            levels = tuple(float(q) for q in np.atleast_1d(given))
        except (TypeError, ValueError) as error:
            raise check.fail(self, name, "numbers between 0 and 1", given) from error
        if not levels or not all(0 < q < 1 for q in levels):
            raise check.fail(self, name, "strictly between 0 and 1", given)
        return tuple(sorted(levels))

    def _losses(
        self, y: Floats, weight: Floats | None, levels: tuple[float, ...]
    ) -> tuple[Loss, ...]:
        if isinstance(self.loss, Loss):
            if self.loss.form not in ("residual", "counts") or self.loss.piecewise_constant:
                raise check.fail(self, "loss", "of a residual or a count", self.loss)
            return (self.loss,)
        simple: dict[str, Loss] = {
            "squared_error": losses.Squared(),
            "absolute_error": losses.Absolute(),
            "poisson": losses.Poisson(),
            "gamma": losses.Gamma(),
        }
        if self.loss == "quantile":
            return tuple(losses.Quantile(q) for q in levels)
        if self.loss == "huber":
            rest = y - weighted_quantile(y, weight, 0.5)
            return (huber_of(rest, weight, self._huber_level(levels)),)
        if isinstance(self.loss, str) and self.loss in simple:
            return (simple[self.loss],)
        words = ", ".join(map(repr, _WORDS))
        raise check.fail(self, "loss", f"one of {words}, or a loss of margin.losses", self.loss)

    def _objective(self, y: NDArray[Any], weight: Floats | None, n_threads: int) -> Objective:
        if self.losses_[0].quadratic:
            return SquaredObjective(y, weight, n_threads)
        level = None
        if isinstance(self.loss, str) and self.loss == "huber":
            level = self._huber_level(self._levels())
        return LossObjective(self.losses_, y, weight, level)

    def _huber_level(self, levels: tuple[float, ...]) -> float:
        """Share of the residuals that Huber's loss squares."""
        return levels[0] if self.quantile is None else 0.9

    def _check_params(self) -> TreeRules:
        check_init(self, self.init, "predict")
        return super()._check_params()

    def _fit_init(self, sample: Sample) -> Any:
        if self.init is None or isinstance(self.init, str):
            return self.init
        return fitted_init(self, self.init, sample.X, sample.y, sample.weight)

    @property
    def init_(self) -> Any:
        """The model that the trees are added to."""
        check_is_fitted(self)
        if self._init_model is not None:
            return self._init_model
        return constant_regressor(self._answer(self.baseline_[None, :])[0], self.n_features_in_)

    def _offset(self, X: Any) -> Floats | None:
        if self._init_model is None:
            return None
        if isinstance(self._init_model, str):
            return np.zeros((X.shape[0], len(self.losses_)))
        start = np.asarray(self._init_model.predict(X), dtype=np.float64).reshape(X.shape[0], -1)
        if self.losses_[0].form == "counts":
            start = np.log(np.maximum(start, 1e-12))
        return np.repeat(start[:, :1], len(self.losses_), axis=1)

    @property
    def _link(self) -> Link:
        return "exp" if self.losses_[0].form == "counts" else "identity"

    def _answer(self, raw: Floats) -> Floats:
        """Answers from scores of shape (n_rows, n_outputs)."""
        if len(self.losses_) > 1:
            levels = np.array([getattr(loss, "q", 0.5) for loss in self.losses_])
            return np.sort(raw, axis=1)[:, int(np.argmin(np.abs(levels - 0.5)))]
        score = raw[:, 0]
        return np.exp(score) if self.losses_[0].form == "counts" else score

    def _score(self, X: Any, y: NDArray[Any], weight: Floats | None, raw: Floats) -> float:
        return scored(KnownNumbers(self._answer(raw.T)), self.scoring, X, y, weight)

    def predict(self, X: Any) -> Floats:
        """Answer for every row: mean, median or quantile, as the loss has it."""
        return self._answer(self._raw(X))

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Leaf of each row in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int of shape (n_samples, n_stages)
            With several quantiles of shape (n_samples, n_stages, n_quantiles).
        """
        leaves = self._leaves(X)
        return leaves[:, :, 0] if leaves.shape[2] == 1 else leaves

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Answers after every stage."""
        for raw in self._staged_raw(X):
            yield self._answer(raw)

    @available_if(lambda self: self.loss == "quantile" and np.size(self.quantile) > 1)
    def predict_dist(self, X: Any) -> Empirical:
        """Distribution of the target: the quantiles that were learnt, as weighted values.

        Quantiles that cross are put in order.
        """
        atoms = np.sort(self._raw(X), axis=1)
        levels = np.array(self._levels())
        ends = np.concatenate([[0.0], 0.5 * (levels[1:] + levels[:-1]), [1.0]])
        return Empirical(atoms, np.diff(ends))
