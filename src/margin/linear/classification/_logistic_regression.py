"""Logistic regression, binary and multi-class."""

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight

from margin import losses, optim, penalties
from margin.core import Card, atomic, best_label, check, linear_scores, progress, threads
from margin.linear.classification._logistic_solvers import SOLVERS, check_pairing, solve_logistic


class LogisticRegression(ClassifierMixin, BaseEstimator):
    r"""Logistic regression with L2, L1 or mixed penalty (linear.32; linear.35: softmax).

    With :math:`S = \sum_i s_i` and :math:`\rho` the ``l1_ratio``, minimises

    .. math:: \frac1S \sum_i s_i\, \ell(W^\top x_i + b, y_i)
        + \frac1{C S} \left( \rho \|W\|_1 + \tfrac{1 - \rho}2 \|W\|^2 \right),

    where :math:`\ell` is the logistic loss of one score for two classes and the softmax
    cross-entropy of one score per class for more. The minimiser is that of scikit-learn's
    objective for the same ``C``.

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty, above 0; ``numpy.inf`` for none.
    l1_ratio : float, default=0.0
        Share of the absolute values in the penalty, between 0 and 1; above 0 coefficients become
        exactly zero (penalties.02, penalties.03).
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which is not penalised.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with the weights of the rows; ``"balanced"`` makes every
        class weigh the same.
    solver : str, default="auto"
        All reach the same minimum. ``"newton"``, ``"newton-cg"``, ``"lbfgs"``, ``"bfgs"``,
        ``"nonlinear-cg"``, ``"gradient-descent"`` and ``"fista"`` work in units of the columns and
        for any number of classes; ``"irls"``, ``"coordinate-descent"``, ``"dual-newton"`` (only
        with a penalty), ``"sag"`` and ``"saga"`` for two classes. With ``l1_ratio`` above 0
        ``"fista"``, ``"coordinate-descent"`` and ``"saga"`` remain. Scale the features for
        ``"sag"`` and ``"saga"``: their steps are as short as the longest row asks for.
        ``"auto"``: Newton on a part of the rows as start and preconditioner of L-BFGS when rows
        abound, Newton while the Hessian is small, otherwise truncated Newton, or L-BFGS where
        sparse columns are long; with ``l1_ratio`` above 0 coordinate descent for two classes and
        accelerated proximal gradients (FISTA) for more. The choice is in ``fit_report_``.
    tol : float, default=1e-6
        Largest entry of the (least sub-)gradient that counts as zero, for features in units of
        their standard deviation (as they are for ``"irls"``, ``"sag"`` and ``"saga"``); for
        coordinate descent the relative duality gap, for ``"dual-newton"`` the duality gap.
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
        Solver, objective trace, and the gradient norm or the duality gap at the solution.
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
        l1_ratio=0.0,
        fit_intercept=True,
        class_weight=None,
        solver="auto",
        tol=1e-6,
        max_iter=1000,
        n_jobs=None,
    ):
        self.C = C
        self.l1_ratio = l1_ratio
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
        check_pairing(self, len(self.classes_))
        if self.class_weight is not None:
            factors = compute_class_weight(
                self.class_weight, classes=self.classes_, y=y, sample_weight=weight
            )[codes]
            weight = factors if weight is None else weight * factors
            if weight.min() < 0 or not weight.any():
                need = "at least 0 for every class and above 0 for some row"
                raise check.fail(self, "class_weight", need, self.class_weight)

        problem = self._problem(X, codes, weight)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            found = solve_logistic(self, problem, tick)

        self.coef_ = found.coef.T.astype(X.dtype)
        self.intercept_ = found.intercept.astype(X.dtype)
        notes = (f"solver {found.reason}",) if self.solver == "auto" else ()
        self.fit_report_ = check.report(self, found.solution, notes)
        self.n_iter_ = found.solution.n_iter
        return self

    def _check_params(self):
        check.params(
            self,
            positive="tol",
            count="max_iter",
            fraction="l1_ratio",
            flag="fit_intercept",
            one_of={"solver": ("auto", *SOLVERS)},
        )
        if not _is_infinite(self.C):
            check.params(self, positive="C")
        check_pairing(self)

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
            self._penalty(total),
            intercept=self.fit_intercept,
            n_outputs=1 if binary else len(self.classes_),
            n_threads=threads.count(self.n_jobs),
        )

    def _penalty(self, total):
        if _is_infinite(self.C):
            return penalties.Zero()
        alpha = 1.0 / (self.C * total)
        return penalties.ElasticNet(alpha, self.l1_ratio) if self.l1_ratio else penalties.L2(alpha)

    def decision_function(self, X):
        """Scores: log-odds of the second class for two classes, one score per class for more."""
        return linear_scores(self, X)

    def predict(self, X):
        """Most probable label of each row."""
        return best_label(self, self.decision_function(X))

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
