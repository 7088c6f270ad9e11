"""Linear classification by stochastic gradient descent."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn.base import ClassifierMixin

from margin.core import (
    Card,
    FitReport,
    Solution,
    atomic,
    available_if,
    best_label,
    check,
    linear_scores,
    progress,
    stored_rows,
)
from margin.core.types import Array, Floats, Matrix
from margin.linear._class_labels import announced_labels, label_codes
from margin.linear.online._binary_problems import BinaryProblems
from margin.linear.online._given_start import given_start
from margin.linear.online._holdout import Part
from margin.linear.online._sgd_fit import gradient_note, solve_tasks
from margin.linear.online._stochastic_model import StochasticModel


def _has_probabilities(self: Any) -> bool:
    if self.loss == "log_loss":
        return True
    raise AttributeError(
        f"{type(self).__name__}: predict_proba needs loss='log_loss', got {self.loss!r}"
    )


class SGDClassifier(ClassifierMixin, StochasticModel):
    r"""Linear classifiers fitted one row at a time (optim.03), one against the rest.

    For each class (once for two classes) minimises

    .. math:: \frac1S \sum_i s_i\, \ell(w^\top x_i + b, y_i) + \alpha\, J(w),
        \qquad S = \sum_i s_i,

    with :math:`y_i = \pm 1` and :math:`J(w) = \tfrac12\|w\|^2`, :math:`\|w\|_1` or a mixture, by
    :math:`w \leftarrow w - \eta_t (s_i \nabla \ell_i + \alpha \nabla J)` for one row after the
    other, in a random order of every epoch; absolute penalties by proximal steps.

    Parameters
    ----------
    loss : str, default="hinge"
        ``"hinge"``, ``"log_loss"``, ``"squared_hinge"``, ``"perceptron"``, ``"squared_error"``,
        ``"huber"`` or ``"epsilon_insensitive"``. Hinge gives a linear support vector machine,
        log-loss a logistic regression.
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
        no progress; ``None`` to make ``max_iter`` epochs.
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
    learning_rate : {"optimal", "constant", "invscaling", "adaptive"}, default="optimal"
        ``"optimal"``: :math:`1/(\alpha(t_0 + t))`, whose first step is the inverse of the largest
        curvature of a row; ``"constant"``: ``eta0``; ``"invscaling"``:
        ``eta0 / t**power_t``; ``"adaptive"``: ``eta0``, divided by 5 whenever
        ``n_iter_no_change`` epochs made no progress.
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

    _losses = (
        "hinge",
        "log_loss",
        "squared_hinge",
        "perceptron",
        "squared_error",
        "huber",
        "epsilon_insensitive",
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
        learning_rate: Literal["optimal", "constant", "invscaling", "adaptive"] = "optimal",
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
        settings = self._settings()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        labels, codes = check.classes(self, y)
        problems = BinaryProblems(settings, labels, self.class_weight)
        given = given_start(self, coef_init, intercept_init, problems.number, X.shape[1])
        starts = problems.starts(X.shape[1], *(given or self._old_coefficients(self.warm_start)))
        rows, kept = self._watched(Part(X, codes, weight), stratify=True)
        table = settings.table(rows.X, rows.y, rows.weight)
        tasks = problems.tasks(rows, table, starts, kept)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solutions = solve_tasks(
                tasks,
                settings,
                seed=self._seed(),
                max_iter=self.max_iter,
                tol=self.tol,
                callback=tick,
            )
        whole = Solution.merge(solutions, parts="classes", objective="mean")
        self.__dict__.pop("_progress", None)
        self._store(X, labels, [s.x for s in solutions], solutions)
        self.fit_report_ = check.report(self, whole, notes=gradient_note(solutions))
        self.n_iter_ = whole.n_iter
        return self

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
        settings = self._settings()
        self._check_stream()
        if self.class_weight == "balanced":
            need = (
                "given by class: class_weight 'balanced' is not supported for partial_fit. In "
                "order to use 'balanced' weights, use compute_class_weight('balanced', "
                "classes=classes, y=y). In place of y you can use a large enough sample of the "
                "full training set target to properly estimate the class frequency distributions. "
                "Pass the resulting weights as the class_weight parameter."
            )
            raise check.fail(self, "class_weight", need, "balanced")
        first = not hasattr(self, "coef_")
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C", reset=first
        )
        labels = announced_labels(self, None if first else self.classes_, classes)
        codes = label_codes(self, labels, y)
        table = stored_rows(codes, weight)
        problems = BinaryProblems(settings, labels, self.class_weight, whole=False)
        starts = problems.starts(X.shape[1], *self._old_coefficients(not first))
        tasks = self._continued(problems.tasks(Part(X, codes, weight), table, starts))
        solutions = solve_tasks(tasks, settings, seed=self._seed(), max_iter=1, tol=None)
        whole = Solution.merge(solutions, parts="classes", objective="mean")
        self._progress = [s.extras["progress"] for s in solutions]
        last = [t.rows.trim(p.point) for t, p in zip(tasks, self._progress, strict=True)]
        self._store(X, labels, last, solutions)
        self.fit_report_ = FitReport.of(self, whole, gradient_note(solutions))
        self.n_iter_ = max(progress.epochs for progress in self._progress)
        return self

    def _store(
        self, X: Any, labels: Array, points: list[Floats], solutions: list[Solution]
    ) -> None:
        p = X.shape[1]
        self.classes_ = labels
        self.coef_ = np.vstack([x[:p] for x in points]).astype(X.dtype)
        offsets = [x[p] if self.fit_intercept else 0.0 for x in points]
        self.intercept_ = np.array(offsets, dtype=X.dtype)
        self.t_ = max(s.extras["progress"].taken for s in solutions)

    def decision_function(self, X: Matrix) -> Array:
        """Scores: of the second class for two classes, one per class for more."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Matrix) -> Array:
        """Label of the highest score."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Matrix) -> Floats:
        """Probabilities of the classes, normalised over the one-vs-rest models."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        odds = expit(scores)
        total = odds.sum(axis=1, keepdims=True)
        even = np.full_like(odds, 1.0 / odds.shape[1])
        return np.asarray(np.divide(odds, total, out=even, where=total > 0))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
