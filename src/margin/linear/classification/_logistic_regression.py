"""Logistic regression, binary and multi-class."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from scipy.special import log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight

from margin import losses, optim, penalties
from margin.core import (
    Card,
    SparseCoefficients,
    atomic,
    best_label,
    check,
    linear_scores,
    objects,
    progress,
    threads,
    two_probabilities,
)
from margin.core.random import generator
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear._class_labels import label_codes
from margin.linear._coefficient_table import LEVEL, check_level
from margin.linear.classification._liblinear import solve_liblinear
from margin.linear.classification._logistic_names import LIBLINEAR, NAMES, check_pairing
from margin.linear.classification._logistic_penalty import (
    PENALTIES,
    UNSAID,
    Strength,
    penalty_strength,
)
from margin.linear.classification._logistic_solvers import AnySolver, Search, solve_logistic
from margin.linear.classification._logistic_summary import LogisticSummary, logistic_summary


class LogisticRegression(ClassifierMixin, SparseCoefficients, BaseEstimator):
    r"""Logistic regression with L2, L1 or mixed penalty (linear.32; linear.35: softmax).

    With :math:`S = \sum_i s_i` and :math:`\rho` the ``l1_ratio``, minimises

    .. math:: \frac1S \sum_i s_i\, \ell(W^\top x_i + b, y_i)
        + \frac1{C S} \left( \rho \|W\|_1 + \tfrac{1 - \rho}2 \|W\|^2 \right),

    where :math:`\ell` is the logistic loss of one score for two classes and the softmax
    cross-entropy of one score per class for more. The minimiser is that of scikit-learn's
    objective for the same ``C``.

    Parameters
    ----------
    penalty : {"l2", "l1", "elasticnet", None}, optional
        Deprecated, as it is in scikit-learn: ``l1_ratio`` 0 or 1 for the first two, in between for
        the third, ``C=numpy.inf`` for ``None``.
    C : float, default=1.0
        Inverse strength of the penalty, above 0; ``numpy.inf`` for none.
    l1_ratio : float, default=0.0
        Share of the absolute values in the penalty, between 0 and 1; above 0 coefficients become
        exactly zero (penalties.02, penalties.03).
    dual : bool, default=False
        Whether ``"auto"`` and ``"liblinear"`` solve the dual, by ``"dual-newton"``: two classes,
        penalty of squares alone.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which is not penalised.
    intercept_scaling : float, default=1
        Value of the constant feature whose penalised weight is the intercept of ``"liblinear"``;
        without effect on the other solvers, which do not penalise it.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with the weights of the rows; ``"balanced"`` makes every
        class weigh the same.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the order of the rows of ``"sag"`` and ``"saga"``, 0 for ``None``; without effect
        on the other solvers, which draw nothing.
    solver : str or solver of margin.optim, default="auto"
        All but ``"liblinear"`` reach the same minimum. ``"newton"`` (``"newton-cholesky"`` is the
        same), ``"newton-cg"``, ``"lbfgs"``, ``"bfgs"``, ``"nonlinear-cg"``, ``"gradient-descent"``
        and ``"fista"`` work in units of the columns and for any number of classes; ``"irls"``,
        ``"coordinate-descent"``, ``"dual-newton"`` (only with a penalty), ``"sag"`` and ``"saga"``
        for two classes; for more the last two stand for L-BFGS, or FISTA with ``l1_ratio`` above
        0. ``"liblinear"``, for two classes, penalises the intercept too (``intercept_scaling``):
        truncated Newton, coordinate descent with ``l1_ratio=1``, or the dual. With ``l1_ratio``
        above 0 ``"fista"``, ``"coordinate-descent"`` and ``"saga"`` remain. Scale the features for
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
        Most iterations of the solver; 0 leaves the coefficients where they start.
    verbose : int, default=0
        Without effect: progress of long fits is shown by :mod:`margin.core.progress`.
    warm_start : bool, default=False
        Whether to start from the coefficients of the last fit.
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
    n_iter_ : ndarray of shape (1,)
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

    card = Card(
        tasks=("classification",),
        cost="linear",
        search_space={"C": (1e-3, 1e3, "log")},
        seeded=False,
    )

    def __init__(
        self,
        penalty: Any = UNSAID,
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-6,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str | AnySolver = "auto",
        max_iter: int = 1000,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
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
        strength = self._check_params()
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, order="C"
        )
        labels, codes = self._classes(y)
        check_pairing(self, self.solver, *strength, len(labels))
        weight = self._row_weights(labels, codes, weight)

        problem = self._problem(objects.unpacked(X), codes, weight, len(labels), strength)
        search = self._search(problem)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            if search.solver == LIBLINEAR:
                scaling = float(self.intercept_scaling)
                fit = solve_liblinear(self, problem, search, scaling, tick)
            else:
                fit = solve_logistic(self, problem, search, tick)

        self.classes_ = labels
        dtype = np.float64 if search.solver == LIBLINEAR else X.dtype
        self.coef_ = fit.coef.T.astype(dtype)
        self.intercept_ = fit.intercept.astype(dtype)
        automatic = isinstance(self.solver, str) and self.solver == "auto"
        notes = (f"solver {fit.reason}",) if automatic else ()
        self.fit_report_ = check.report(self, fit.solution, notes)
        self.n_iter_ = np.array([fit.solution.n_iter], dtype=np.int32)
        return self

    def _check_params(self) -> Strength:
        """The penalty that is asked for, if all parameters make sense."""
        check.params(
            self,
            positive="tol intercept_scaling",
            flag="fit_intercept dual warm_start",
            one_of={"penalty": PENALTIES},
        )
        if self.max_iter != 0:
            check.params(self, count="max_iter")
        given = self.solver
        named = isinstance(given, str) and given in NAMES
        if not named and not isinstance(given, AnySolver):
            names = ", ".join(map(repr, NAMES))
            raise check.fail(self, "solver", f"one of {names}, or a solver of margin.optim", given)
        if not _is_infinite(self.C):
            check.params(self, positive="C")
        if self.l1_ratio is not None:
            check.params(self, fraction="l1_ratio")
        strength = penalty_strength(self, self.penalty, self.C, self.l1_ratio)
        check_pairing(self, given, *strength, dual=self.dual)
        return strength

    def _search(self, problem: optim.LinearProblem) -> Search:
        """How to minimise, and from where."""
        seed = 0
        if self.random_state is not None:
            seed = int(generator(self.random_state).integers(2**31))
        return Search(self.solver, self.tol, self.max_iter, self.dual, seed, self._start(problem))

    def _classes(self, y: Any) -> tuple[Array, Places]:
        """Labels and codes; of one class, refused in scikit-learn's words too."""
        try:
            return check.classes(self, y)
        except ValueError as error:
            if "at least 2 classes" not in str(error):
                raise
            why = "This solver needs samples of at least 2 classes in the data"
            raise ValueError(f"{error} ({why})") from error

    def _start(self, problem: optim.LinearProblem) -> tuple[Floats, Floats] | None:
        """Coefficients of the last fit, where they are to be used and still fit."""
        if not self.warm_start or self.solver == LIBLINEAR or not hasattr(self, "coef_"):
            return None
        old = self.coef_.toarray() if issparse(self.coef_) else self.coef_
        if old.shape != (problem.n_outputs, problem.X.shape[1]):
            return None
        if not (np.isfinite(old).all() and np.isfinite(self.intercept_).all()):
            need = "finite where a fit starts from it (Floating-point under-/overflow)"
            raise check.fail(self, "coef_", need, "numbers that are not")
        return old.T.astype(np.float64), self.intercept_.astype(np.float64)

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
        self,
        X: Any,
        codes: Places,
        weight: Floats | None,
        n_classes: int,
        strength: Strength,
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
            _penalty(strength, total),
            intercept=self.fit_intercept,
            n_outputs=1 if binary else n_classes,
            n_threads=threads.count(self.n_jobs),
        )

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
        strength = self._check_params()
        if strength.l1_ratio > 0:
            need = "0 for a summary: estimates that are exactly 0 follow no normal law"
            raise check.fail(self, "l1_ratio", need, strength.l1_ratio)
        X, y, weight = check.data(
            self, X, y, sample_weight, target="classes", sparse=True, reset=False
        )
        codes = label_codes(self, self.classes_, y)
        weight = self._row_weights(self.classes_, codes, weight)
        return logistic_summary(
            X.toarray() if issparse(X) else X,
            codes,
            np.ones(len(codes)) if weight is None else weight,
            self.coef_.toarray() if issparse(self.coef_) else self.coef_,
            self.intercept_ if self.fit_intercept else None,
            0.0 if _is_infinite(strength.C) else 1.0 / strength.C,
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
            return two_probabilities(scores)
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


def _penalty(strength: Strength, total: float) -> penalties.Penalty:
    if _is_infinite(strength.C):
        return penalties.Zero()
    alpha = 1.0 / (strength.C * total)
    ratio = strength.l1_ratio
    return penalties.ElasticNet(alpha, ratio) if ratio else penalties.L2(alpha)


def _is_infinite(strength: Any) -> bool:
    return isinstance(strength, float) and strength == np.inf
