"""Linear classification by stochastic gradient descent."""

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from margin.core import (
    Card,
    FitReport,
    Solution,
    atomic,
    best_label,
    check,
    distinct_rows,
    linear_scores,
    progress,
    stored_rows,
)
from margin.linear._known_classes import class_factors, known_classes
from margin.linear.online import _sgd_fit as sgd
from margin.linear.online._holdout import holdout

_LOSSES = (
    "hinge",
    "log_loss",
    "squared_hinge",
    "perceptron",
    "squared_error",
    "huber",
    "epsilon_insensitive",
)


def _has_probabilities(self):
    if self.loss == "log_loss":
        return True
    raise AttributeError(
        f"{type(self).__name__}: predict_proba needs loss='log_loss', got {self.loss!r}"
    )


class SGDClassifier(ClassifierMixin, BaseEstimator):
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
        Share of the absolute penalty in ``"elasticnet"``.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    max_iter : int, default=1000
        Most epochs.
    tol : float or None, default=1e-3
        An epoch that lowers the objective by less than this share of its value at the start makes
        no progress; ``None`` to make ``max_iter`` epochs.
    shuffle : bool, default=True
        Whether every epoch has a random order of its own.
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

    def __init__(
        self,
        *,
        loss="hinge",
        penalty="l2",
        alpha=0.0001,
        l1_ratio=0.15,
        fit_intercept=True,
        max_iter=1000,
        tol=1e-3,
        shuffle=True,
        epsilon=0.1,
        n_jobs=None,
        random_state=0,
        learning_rate="optimal",
        eta0=0.01,
        power_t=0.5,
        early_stopping=False,
        validation_fraction=0.1,
        n_iter_no_change=5,
        class_weight=None,
        warm_start=False,
        average=False,
    ):
        self.loss = loss
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
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
    def fit(self, X, y, sample_weight=None):
        """Fit until the objective no longer falls.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        sgd.check_sgd_params(self, _LOSSES)
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        old = getattr(self, "coef_", None) if self.warm_start else None
        self.classes_, codes = check.classes(self, y)
        starts = self._starts(X, old)
        monitors = [None] * len(starts)
        if self.early_stopping:
            X, codes, weight, kept = holdout(self, X, codes, weight, stratify=True)
            monitors = [self._monitor(kept, k) for k in range(len(starts))]
        table = (
            distinct_rows(X, codes, weight, sgd.estimator_threads(self))
            if self.shuffle
            else stored_rows(codes, weight)
        )
        tasks = [
            sgd.Task(self._rows(X, codes, table, k), start, monitor=monitors[k])
            for k, start in enumerate(starts)
        ]
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solutions = sgd.solve_tasks(
                self, tasks, max_iter=self.max_iter, tol=self.tol, callback=tick
            )
        self._store(X, tasks, solutions)
        self.__dict__.pop("_progress", None)
        whole = Solution.merge(solutions, parts="classes", objective="mean")
        self.fit_report_ = check.report(self, whole, notes=sgd.gradient_note(solutions))
        self.n_iter_ = whole.n_iter
        return self

    @atomic
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One epoch over these rows, continuing from where the last call ended.

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
        sgd.check_sgd_params(self, _LOSSES)
        if self.early_stopping:
            raise check.fail(self, "early_stopping", "False for partial_fit", True)
        if self.class_weight == "balanced":
            raise check.fail(self, "class_weight", "given by class for partial_fit", "balanced")
        old = getattr(self, "coef_", None)
        X, codes, weight = known_classes(self, X, y, classes, sample_weight)
        table = stored_rows(codes, weight)
        starts = self._starts(X, old)
        problems = [self._rows(X, codes, table, k) for k in range(len(starts))]
        tasks = [
            sgd.Task(rows, start, sgd.continued(self, rows, start, k))
            for k, (rows, start) in enumerate(zip(problems, starts, strict=True))
        ]
        solutions = sgd.solve_tasks(self, tasks, max_iter=1, tol=None)
        self._progress = [s.extras["progress"] for s in solutions]
        self._store(X, tasks, solutions, last=True)
        whole = Solution.merge(solutions, parts="classes", objective="mean")
        self.fit_report_ = FitReport.of(self, whole, sgd.gradient_note(solutions))
        self.n_iter_ = max(progress.epochs for progress in self._progress)
        return self

    def _starts(self, X, old):
        """A start per binary problem: zeros, or the coefficients of an earlier fit."""
        n_outputs = 1 if len(self.classes_) == 2 else len(self.classes_)
        size = X.shape[1] + int(self.fit_intercept)
        if old is None or old.shape != (n_outputs, X.shape[1]):
            return [np.zeros(size) for _ in range(n_outputs)]
        both = np.column_stack([old, self.intercept_]).astype(np.float64)
        return [np.ascontiguousarray(row[:size]) for row in both]

    def _rows(self, X, codes, table, k):
        positive = 1 if len(self.classes_) == 2 else k
        sign = np.where(codes == positive, 1.0, -1.0)
        target = np.maximum(sign, 0.0) if self.loss == "log_loss" else sign
        return sgd.rows_for(self, X, target, table, class_factors(self, codes))

    def _monitor(self, kept, k):
        """Share of errors of one binary problem on the rows set aside."""
        X, codes, weight = kept
        positive = codes == (1 if len(self.classes_) == 2 else k)

        def errors(x):
            scores = np.asarray(X @ x[: X.shape[1]]) + (x[-1] if self.fit_intercept else 0.0)
            return float(np.average((scores > 0) != positive, weights=weight))

        return errors

    def _store(self, X, tasks, solutions, last=False):
        points = [
            task.rows.trim(s.extras["progress"].point) if last else s.x
            for task, s in zip(tasks, solutions, strict=True)
        ]
        p = X.shape[1]
        self.coef_ = np.vstack([x[:p] for x in points]).astype(X.dtype)
        offsets = [x[p] if self.fit_intercept else 0.0 for x in points]
        self.intercept_ = np.array(offsets, dtype=X.dtype)
        self.t_ = max(s.extras["progress"].taken for s in solutions)

    def decision_function(self, X):
        """Scores: of the second class for two classes, one per class for more."""
        return linear_scores(self, X)

    def predict(self, X):
        """Label of the highest score."""
        return best_label(self, self.decision_function(X))

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Probabilities of the classes, normalised over the one-vs-rest models."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        odds = expit(scores)
        total = odds.sum(axis=1, keepdims=True)
        even = np.full_like(odds, 1.0 / odds.shape[1])
        return np.divide(odds, total, out=even, where=total > 0)

    @available_if(_has_probabilities)
    def predict_log_proba(self, X):
        """Logarithm of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
