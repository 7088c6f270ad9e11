"""Logistic regression, binary and multi-class."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight

from margin import losses, optim, penalties
from margin.core import Card, atomic, best_label, check, linear_scores, progress, threads
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_labels import label_codes
from margin.linear._coefficient_table import LEVEL, check_level
from margin.linear.classification._logistic_solvers import (
    SOLVERS,
    AnySolver,
    check_pairing,
    solve_logistic,
)
from margin.linear.classification._logistic_summary import LogisticSummary, logistic_summary


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
    solver : str or solver of margin.optim, default="auto"
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
        A value such as ``optim.HeavyBall()``, ``optim.SGD(batch=32)`` (mini-batches),
        ``optim.MomentumSGD()`` or ``optim.Adam()`` is taken as it is, with its own ``tol`` and
        ``max_iter`` in place of those below; solvers that visit rows do two classes.
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
        C: float = 1.0,
        l1_ratio: float = 0.0,
        fit_intercept: bool = True,
        class_weight: Any = None,
        solver: str | AnySolver = "auto",
        tol: float = 1e-6,
        max_iter: int = 1000,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
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
        labels, codes = check.classes(self, y)
        check_pairing(self, self.solver, self.C, self.l1_ratio, len(labels))
        weight = self._row_weights(labels, codes, weight)

        problem = self._problem(X, codes, weight, len(labels))
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            fit = solve_logistic(self, problem, self.solver, self.tol, self.max_iter, tick)

        self.classes_ = labels
        self.coef_ = fit.coef.T.astype(X.dtype)
        self.intercept_ = fit.intercept.astype(X.dtype)
        automatic = isinstance(self.solver, str) and self.solver == "auto"
        notes = (f"solver {fit.reason}",) if automatic else ()
        self.fit_report_ = check.report(self, fit.solution, notes)
        self.n_iter_ = fit.solution.n_iter
        return self

    def _check_params(self) -> None:
        check.params(
            self,
            positive="tol",
            count="max_iter",
            fraction="l1_ratio",
            flag="fit_intercept",
        )
        given = self.solver
        named = isinstance(given, str) and given in ("auto", *SOLVERS)
        if not named and not isinstance(given, AnySolver):
            names = ", ".join(map(repr, ("auto", *SOLVERS)))
            raise check.fail(self, "solver", f"one of {names}, or a solver of margin.optim", given)
        if not _is_infinite(self.C):
            check.params(self, positive="C")
        check_pairing(self, given, self.C, self.l1_ratio)

    def _row_weights(self, labels: Array, codes: Places, weight: Floats | None) -> Floats | None:
        """Weights of the rows times those of their classes; ``None`` where all count the same."""
        if self.class_weight is None:
            return weight
        factors = compute_class_weight(
            self.class_weight, classes=labels, y=labels[codes], sample_weight=weight
        )[codes]
        weight = np.asarray(factors if weight is None else weight * factors, dtype=np.float64)
        if weight.min() < 0 or not weight.any():
            need = "at least 0 for every class and above 0 for some row"
            raise check.fail(self, "class_weight", need, self.class_weight)
        return weight

    def _problem(
        self, X: Any, codes: Places, weight: Floats | None, n_classes: int
    ) -> optim.LinearProblem:
        """Mean loss plus penalty, so that ``tol`` means the same for any number of rows."""
        total = float(len(codes) if weight is None else weight.sum())
        weight = np.full(len(codes), 1.0 / total) if weight is None else weight / total
        binary = n_classes == 2
        return optim.LinearProblem(
            X,
            codes.astype(np.float64) if binary else codes.astype(np.int64),
            weight,
            losses.Logistic() if binary else losses.Softmax(),
            self._penalty(total),
            intercept=self.fit_intercept,
            n_outputs=1 if binary else n_classes,
            n_threads=threads.count(self.n_jobs),
        )

    def _penalty(self, total: float) -> penalties.Penalty:
        if _is_infinite(self.C):
            return penalties.Zero()
        alpha = 1.0 / (self.C * total)
        return penalties.ElasticNet(alpha, self.l1_ratio) if self.l1_ratio else penalties.L2(alpha)

    def summary(
        self,
        X: Matrix,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        level: float = LEVEL,
    ) -> LogisticSummary:
        """Coefficient table, tests and fit criteria on the rows of the fit.

        Parameters
        ----------
        X, y, sample_weight
            The rows the model was fitted to; a weight counts as that many rows.
        level : float, default=0.95
            Level of the confidence intervals.

        Returns
        -------
        LogisticSummary

        Examples
        --------
        >>> from margin.linear import LogisticRegression
        >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
        >>> table = LogisticRegression(C=float("inf")).fit(X, y).summary(X, y)
        >>> table.coef.round(2), table.std_error.round(2)
        (array([-3.04,  1.21]), array([2.55, 0.91]))
        """
        check_level(self, level)
        if self.l1_ratio > 0:
            need = "0 for a summary: estimates that are exactly 0 follow no normal law"
            raise check.fail(self, "l1_ratio", need, self.l1_ratio)
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, reset=False
        )
        codes = label_codes(self, self.classes_, y)
        weight = self._row_weights(self.classes_, codes, weight)
        return logistic_summary(
            X.toarray() if issparse(X) else X,
            codes,
            np.ones(len(codes)) if weight is None else weight,
            self.coef_,
            self.intercept_ if self.fit_intercept else None,
            0.0 if _is_infinite(self.C) else 1.0 / self.C,
            [str(label) for label in self.classes_],
            getattr(self, "feature_names_in_", None),
            level,
        )

    def decision_function(self, X: Matrix) -> Array:
        """Scores: log-odds of the second class for two classes, one score per class for more."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Matrix) -> Array:
        """Most probable label of each row."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def predict_proba(self, X: Matrix) -> Floats:
        """Probability of every class, in the order of ``classes_``."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        return np.asarray(softmax(scores, axis=1))

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of :meth:`predict_proba`, without underflow."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([log_expit(-scores), log_expit(scores)])
        return np.asarray(log_softmax(scores, axis=1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _is_infinite(strength: Any) -> bool:
    return isinstance(strength, float) and strength == np.inf
