"""Logistic regression, binary and multi-class."""

from dataclasses import replace

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight

from margin import losses, optim, penalties
from margin.core import Card, Status, atomic, check, progress, threads
from margin.linear._coarse import coarse_model

_SMALL_HESSIAN = 300
_SEPARABLE = (
    "the classes are separable and there is no penalty, so no minimum exists: the coefficients "
    "would grow without bound; use a finite C"
)
_SOLVERS = {
    "newton": optim.Newton,
    "newton-cg": optim.NewtonCG,
    "lbfgs": optim.LBFGS,
    "gradient-descent": optim.GradientDescent,
}


class LogisticRegression(ClassifierMixin, BaseEstimator):
    r"""Logistic regression with a quadratic penalty (linear.32), softmax for classes (linear.35).

    With :math:`S = \sum_i s_i`, minimises

    .. math:: \frac1S \sum_i s_i\, \ell(W^\top x_i + b, y_i) + \frac{1}{2 C S} \|W\|^2,

    where :math:`\ell` is the logistic loss of one score for two classes and the softmax
    cross-entropy of one score per class for more. The minimiser is that of scikit-learn's
    objective for the same ``C``.

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty, above 0; ``numpy.inf`` for none.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which is not penalised.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with the weights of the rows; ``"balanced"`` makes every
        class weigh the same.
    solver : {"auto", "newton", "newton-cg", "lbfgs", "gradient-descent"}, default="auto"
        All reach the same minimum. ``"auto"``: Newton on a part of the rows as start and
        preconditioner of L-BFGS when rows abound, Newton while the Hessian is small, truncated
        Newton otherwise; the choice is in ``fit_report_``.
    tol : float, default=1e-6
        Largest entry of the gradient that counts as zero, for features in units of their
        standard deviation.
    max_iter : int, default=1000
        Most iterations of the solver.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels in sorted order.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Coefficients; one row for two classes.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    fit_report_ : FitReport
        Solver, objective trace, and the gradient norm at the solution.
    n_iter_ : int
        Iterations made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    A Newton step costs :math:`O(n p^2 + p^3)`; the other solvers read the data once or twice per
    step. Separable data without penalty have no minimum: the fit ends with a warning.

    Examples
    --------
    >>> from margin.linear import LogisticRegression
    >>> model = LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> model.predict_proba([[1.5]]).round(6)
    array([[0.5, 0.5]])
    """

    card = Card(tasks=("classification",), cost="linear", search_space={"C": (1e-3, 1e3, "log")})

    def __init__(
        self,
        *,
        C=1.0,
        fit_intercept=True,
        class_weight=None,
        solver="auto",
        tol=1e-6,
        max_iter=1000,
        n_jobs=None,
    ):
        self.C = C
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the coefficients.

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
        self._check_params()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        self.classes_, codes = check.classes(self, y)
        if self.class_weight is not None:
            factors = compute_class_weight(
                self.class_weight, classes=self.classes_, y=y, sample_weight=weight
            )[codes]
            weight = factors if weight is None else weight * factors
            if weight.min() < 0 or not weight.any():
                need = "at least 0 for every class and above 0 for some row"
                raise check.fail(self, "class_weight", need, self.class_weight)

        problem = optim.standardised(self._problem(X, codes, weight))
        solver, start, reason = self._choose_solver(problem)
        with progress.bar(f"{type(self).__name__} ({reason})", self.max_iter) as tick:
            solution = optim.minimise(problem, solver, start, callback=tick)
        if _is_infinite(self.C) and _separates(problem.problem, problem.raw(solution.x)):
            solution = replace(solution, status=Status.STALLED, message=_SEPARABLE)

        coef, intercept = problem.unpack(solution.x)
        self.coef_ = coef.T.astype(X.dtype)
        self.intercept_ = intercept.astype(X.dtype)
        notes = (f"solver {reason}",) if self.solver == "auto" else ()
        self.fit_report_ = check.report(self, solution, notes)
        self.n_iter_ = solution.n_iter
        return self

    def _check_params(self):
        check.params(
            self,
            positive="tol",
            count="max_iter",
            flag="fit_intercept",
            one_of={"solver": ("auto", *_SOLVERS)},
        )
        if not _is_infinite(self.C):
            check.params(self, positive="C")

    def _problem(self, X, codes, weight):
        """Mean loss plus penalty, so that ``tol`` means the same for any number of rows."""
        total = float(len(codes) if weight is None else weight.sum())
        weight = np.full(len(codes), 1.0 / total) if weight is None else weight / total
        binary = len(self.classes_) == 2
        return optim.LinearProblem(
            X,
            codes.astype(np.float64) if binary else codes.astype(np.int64),
            weight,
            losses.Logistic() if binary else losses.Softmax(),
            penalties.Zero() if _is_infinite(self.C) else penalties.L2(1.0 / (self.C * total)),
            intercept=self.fit_intercept,
            n_outputs=1 if binary else len(self.classes_),
            n_threads=threads.count(self.n_jobs),
        )

    def _choose_solver(self, problem):
        """Solver, starting point and the reason for the choice."""
        if self.solver != "auto":
            return _SOLVERS[self.solver](self.tol, self.max_iter), None, self.solver
        coarse = coarse_model(problem)
        if coarse is not None:
            solver = optim.LBFGS(self.tol, self.max_iter, precondition=coarse.precondition)
            return solver, coarse.x, f"lbfgs preconditioned by {coarse.description}"
        if problem.dimension <= _SMALL_HESSIAN:
            return optim.Newton(self.tol, self.max_iter), None, "newton: few unknowns"
        return optim.NewtonCG(self.tol, self.max_iter), None, "newton-cg: many unknowns"

    def decision_function(self, X):
        """Scores: log-odds of the second class for two classes, one score per class for more."""
        X = check.table(self, X, sparse=True)
        scores = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Most probable label of each row."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[codes]

    def predict_proba(self, X):
        """Probability of every class, in the order of ``classes_``."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return softmax(scores, axis=1)

    def predict_log_proba(self, X):
        """Logarithm of :meth:`predict_proba`, without underflow."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        return log_softmax(scores, axis=1)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _is_infinite(strength):
    return isinstance(strength, float) and strength == np.inf


def _separates(problem, x):
    """Whether every row that counts is on the right side, strictly."""
    scores = problem.predictions(x)
    if problem.n_outputs == 1:
        ahead = (2.0 * problem.y - 1.0) * scores[:, 0]
    else:
        own = np.take_along_axis(scores, problem.y[:, None], axis=1)[:, 0]
        np.put_along_axis(scores, problem.y[:, None], -np.inf, axis=1)
        ahead = own - scores.max(axis=1)
    return bool((ahead[problem.weight > 0] > 0).all())
