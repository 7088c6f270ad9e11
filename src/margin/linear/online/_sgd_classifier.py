"""Linear classification by stochastic gradient descent."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from margin.core import Card, atomic, available_if, two_probabilities
from margin.core.types import Floats, Matrix
from margin.linear.online._sgd_settings import Settings
from margin.linear.online._stochastic_classifier import StochasticClassifier


def _has_probabilities(self: Any) -> bool:
    if self.loss in ("log_loss", "modified_huber"):
        return True
    raise AttributeError(
        f"{type(self).__name__}: predict_proba needs loss='log_loss' or 'modified_huber' "
        f"(probability estimates are not available for loss={self.loss!r})"
    )


class SGDClassifier(StochasticClassifier):
    r"""Linear classifiers fitted one row at a time (optim.03), one against the rest.

    For each class (once for two classes) minimises

    .. math:: \frac1S \sum_i s_i\, \ell(w^\top x_i + b, y_i) + \alpha\, J(w),
        \qquad S = \sum_i s_i,

    with :math:`y_i = \pm 1` and :math:`J(w) = \tfrac12\|w\|^2`, :math:`\|w\|_1` or a mixture, by
    :math:`w \leftarrow w - \eta_t (s_i \nabla \ell_i + \alpha \nabla J)` for one row after the
    other, in a random order of every epoch; absolute penalties by what is due of them in all, so
    that weights of no use are zero.

    Parameters
    ----------
    loss : str, default="hinge"
        ``"hinge"``, ``"log_loss"``, ``"modified_huber"``, ``"squared_hinge"``, ``"perceptron"``,
        ``"squared_error"``, ``"huber"``, ``"epsilon_insensitive"`` or
        ``"squared_epsilon_insensitive"``. Hinge gives a linear support vector machine, log-loss a
        logistic regression, modified Huber probabilities with exact zeros and ones.
    penalty : {"l2", "l1", "elasticnet", None}, default="l2"
        Which :math:`J`; the intercept is never penalised.
    alpha : float, default=0.0001
        Strength of the penalty, at least 0.
    l1_ratio : float, default=0.15
        Share of the absolute penalty in ``"elasticnet"``; may be ``None`` for the others.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    max_iter : int, default=1000
        Most epochs.
    tol : float or None, default=1e-3
        An epoch that lowers the objective by less than this share of its value at the start makes
        no progress; ``None`` to make ``max_iter`` epochs and end at the last point.
    shuffle : bool, default=True
        Whether every epoch has a random order of its own.
    verbose : int, default=0
        Without effect: progress of long fits is shown by :mod:`margin.core.progress`.
    epsilon : float, default=0.1
        Where the Huber loss becomes linear; half the width of the insensitive tube.
    n_jobs : int, optional
        Threads: classes at a time, and passes over the rows; the answer does not depend on it.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the orders; ``None`` for another one every time.
    learning_rate : str, default="optimal"
        One of "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2".
        ``"optimal"``: :math:`1/(\alpha(t_0 + t))`, whose first step is the inverse of the largest
        curvature of a row; ``"constant"``: ``eta0``; ``"invscaling"``:
        ``eta0 / t**power_t``; ``"adaptive"``: ``eta0``, divided by 5 whenever
        ``n_iter_no_change`` epochs made no progress; ``"pa1"``, ``"pa2"``: as far as the hinge
        loss of the row asks for, at most ``eta0`` or damped by it
        (:class:`margin.optim.PassiveAggressive`).
    eta0 : float, default=0.01
        First step length of the other rates.
    power_t : float, default=0.5
        Exponent of ``"invscaling"``.
    early_stopping : bool, default=False
        Whether to watch the accuracy on rows that are set aside, in place of the objective.
    validation_fraction : float, default=0.1
        Share of rows set aside for early stopping.
    n_iter_no_change : int, default=5
        Epochs without progress that end the search.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with the weights of the rows.
    warm_start : bool, default=False
        Whether to start from the coefficients of the last fit.
    average : bool or int, default=False
        Whether the answer is the mean of the iterates; a number: from that step on (optim.07).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients; one row for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    fit_report_ : FitReport
        Objective after every epoch, and why the search ended.
    n_iter_ : int
        Epochs made, the most of any class; all of those of ``partial_fit``.
    t_ : int
        Steps made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(p)` per row and epoch, as many operations as stored entries for sparse rows, plus one
    pass per epoch that evaluates the objective. Rows are visited in an order that depends on
    their contents, equal rows at once: neither the order of storage nor repetition instead of
    weights changes the answer. From 65 536 rows on, blocks of 16 rows are visited as they are
    stored, in random order. Scale the features: the steps suit all columns only if these have
    comparable units.

    Examples
    --------
    >>> from margin.linear import SGDClassifier
    >>> model = SGDClassifier().fit([[-2.0], [-1.0], [1.0], [2.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[-1.5], [0.5]])
    array(['no', 'yes'], dtype='<U3')
    """

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"alpha": (1e-6, 1e-1, "log"), "loss": ["hinge", "log_loss"]},
    )

    def __init__(
        self,
        loss: str = "hinge",
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = "l2",
        alpha: float = 0.0001,
        l1_ratio: float | None = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        epsilon: float = 0.1,
        n_jobs: int | None = None,
        random_state: Any = 0,
        learning_rate: Literal[
            "optimal", "constant", "invscaling", "adaptive", "pa1", "pa2"
        ] = "optimal",
        eta0: float = 0.01,
        power_t: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        average: bool | int = False,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.epsilon = epsilon
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.average = average

    @atomic
    def fit(
        self,
        X: Matrix,
        y: ArrayLike,
        coef_init: ArrayLike | None = None,
        intercept_init: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit until the objective no longer falls.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        coef_init : array-like of shape (n_features,) or (n_classes, n_features), optional
            Coefficients to start from.
        intercept_init : array-like of shape (1,) or (n_classes,), optional
            Intercepts to start from.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        return self._learn(X, y, coef_init, intercept_init, sample_weight)

    @atomic
    def partial_fit(
        self,
        X: Matrix,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """One epoch over these rows, continuing from where the last call ended (adaptation.08).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All labels that will ever occur; asked for in the first call only.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._learn_on(X, y, classes, sample_weight)

    def _settings(self) -> Settings:
        return self._gradient_settings()

    @available_if(_has_probabilities)
    def predict_proba(self, X: Matrix) -> Floats:
        """Probabilities of the classes, normalised over the one-vs-rest models.

        Of a score ``z`` the logistic function for ``loss="log_loss"``, and ``(z + 1) / 2`` between
        0 and 1 for ``loss="modified_huber"``.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1 and self.loss == "log_loss":
            return two_probabilities(scores)
        odds = expit(scores) if self.loss == "log_loss" else 0.5 * (scores.clip(-1.0, 1.0) + 1.0)
        if scores.ndim == 1:
            return np.column_stack([1.0 - odds, odds])
        total = odds.sum(axis=1, keepdims=True)
        even = np.full_like(odds, 1.0 / odds.shape[1])
        return np.asarray(np.divide(odds, total, out=even, where=total > 0))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))
