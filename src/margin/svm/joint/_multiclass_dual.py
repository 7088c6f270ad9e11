"""Machines for all classes in one problem: Crammer–Singer and Weston–Watkins."""

from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import Card, Certificate, Solution, Status, atomic, check, progress, random
from margin.core.objects import count
from margin.native.duals.multiclass_dual import CRAMMER_SINGER, multiclass_pass
from margin.optim import GramMatrix
from margin.svm._gram import warn_if_indefinite
from margin.svm._kernel_data import check_kernel_params, fit_data, resolved
from margin.svm.kernel._classifier_answers import machine_scores, set_kernel_tags
from margin.svm.kernel._classifier_fit import precision, row_weights, store_vectors

KIND = "relative duality gap"
SMALL, SHARP, EXTRA = 500, 1e-13, 3000
LARGEST = 2e9  # bytes of a kernel matrix that is held whole


def whole_matrix(estimator, kernel, X):
    """Kernel matrix in double precision; refused where it would not fit."""
    n = count(X)
    if 8.0 * n * n > LARGEST:
        raise ValueError(
            f"{type(estimator).__name__}: X must have at most {int((LARGEST / 8) ** 0.5)} rows, "
            f"got {n}, whose kernel matrix takes {8e-9 * n * n:.1f} GB; use LinearSVC or SVC"
        )
    K = np.asarray(X if kernel is None else kernel(X), dtype=np.float64)
    return np.ascontiguousarray(K)


def fit_multiclass(estimator, X, y, sample_weight, kind, losses):
    """Fit all functions together and store what a classifier shows.

    Parameters
    ----------
    losses : callable
        ``losses(scores, codes)`` gives the loss of every row.
    """
    check.params(estimator, positive="C tol", count="max_iter", flag="fit_intercept")
    check_kernel_params(estimator)
    X, y, weight = fit_data(estimator, X, y, sample_weight, "classes")
    estimator.classes_, codes = check.classes(estimator, y)
    weight = row_weights(estimator, codes, weight)
    kernel = resolved(estimator, X, weight)
    K = whole_matrix(estimator, kernel, X)
    notes = warn_if_indefinite(estimator, kernel, GramMatrix(K))
    search = _Search(estimator, K, codes.astype(np.int64), estimator.C * weight, kind, losses)
    with progress.bar(type(estimator).__name__, estimator.max_iter) as tick:
        solution = search.run(tick)
    coef, bias = search.best[2], search.best[3]
    estimator.support_ = np.flatnonzero(np.any(coef != 0, axis=1)).astype(np.int32)
    estimator._coef = coef[estimator.support_]
    estimator.dual_coef_ = np.ascontiguousarray(estimator._coef.T)
    estimator.intercept_ = bias.astype(precision(X))
    store_vectors(estimator, X, kernel)
    estimator.n_iter_ = solution.n_iter
    estimator.fit_report_ = check.report(estimator, solution, notes)
    return estimator


class JointMachine(ClassifierMixin, BaseEstimator):
    """A classifier whose functions of all classes are fitted together."""

    kind: int
    losses: Callable
    card = Card(
        tasks=("classification",),
        cost="quadratic",
        search_space={"C": (1e-2, 1e3, "log"), "gamma": (1e-3, 1e1, "log")},
        max_rows=10_000,
        min_classes=3,
    )

    def __init__(
        self,
        *,
        C=1.0,
        kernel="rbf",
        degree=3,
        gamma="scale",
        coef0=0.0,
        fit_intercept=True,
        tol=1e-4,
        class_weight=None,
        max_iter=5000,
        random_state=0,
        n_jobs=None,
    ):
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the functions of all classes together.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`.

        Returns
        -------
        self
        """
        return fit_multiclass(self, X, y, sample_weight, self.kind, self.losses)

    def decision_function(self, X):
        """Difference of the two scores for two classes, otherwise the score of every class."""
        scores = machine_scores(self, X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Label of every row."""
        codes = machine_scores(self, X).argmax(axis=1)
        return self.classes_[codes]

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())


class _Search:
    """Passes over the rows; a free bias follows by proximal steps between them."""

    def __init__(self, estimator, K, codes, cap, kind, losses):
        self.estimator, self.K, self.codes, self.cap = estimator, K, codes, cap
        self.kind, self.losses = kind, losses
        n, classes = len(codes), len(estimator.classes_)
        self.b, self.f, self.bias = (
            np.zeros((n, classes)),
            np.zeros((n, classes)),
            np.zeros(classes),
        )
        scale = float(np.mean(np.diag(K)))
        self.pace = (scale if scale > 0 else 1.0) if estimator.fit_intercept else 0.0
        self.rng = random.generator(estimator.random_state)
        self.trace: dict[str, list[float]] = {"objective": [], "gap": []}
        self.best = (np.inf, np.inf, self.b.copy(), self.bias.copy())

    def run(self, tick):
        tol, limit, made = float(self.estimator.tol), int(self.estimator.max_iter), 0
        rows = np.flatnonzero(self.cap > 0)
        # The extra passes of a small problem make the answer independent of the order of the rows.
        few = len(self.codes) <= SMALL
        while made < limit and self.best[0] > (SHARP if few and made < EXTRA else tol):
            order = self.rng.permutation(rows).astype(np.int64)
            multiclass_pass(
                self.kind, self.K, order, self.codes, self.cap, self.pace, self.b, self.f, self.bias
            )
            self.bias += self.pace * self.b.sum(axis=0)
            made += 1
            if made % 50 == 0:  # what rounding has added up
                self.f = self.K @ self.b
            self._look()
            tick(made, self.trace["objective"][-1])
        relative, primal = self.best[:2]
        status, message = Status.CONVERGED, ""
        if relative > tol:
            status = Status.MAX_ITER
            message = (
                f"stopped after max_iter={limit} passes with a relative duality gap of "
                f"{relative:.3g} above tol={tol:g}; raise max_iter or tol, or lower C"
            )
        return Solution(
            x=self.best[2],
            status=status,
            n_iter=made,
            objective=primal,
            trace={k: np.array(v) for k, v in self.trace.items()},
            certificate=Certificate(KIND, relative, tol),
            solver="block coordinate descent on the dual",
            message=message,
        )

    def _look(self):
        """Gap at the present point; with a free bias the larger of gap and imbalance."""
        quadratic = float(np.einsum("ik,ik->", self.b, self.f))
        scores = self.f + self.bias
        primal = 0.5 * quadratic + float(self.cap @ self.losses(scores, self.codes))
        own = self.b[np.arange(len(self.codes)), self.codes].sum()
        dual = (own if self.kind == CRAMMER_SINGER else 2.0 * own) - 0.5 * quadratic
        off = 0.0
        if self.pace:
            sums = self.b.sum(axis=0)
            dual -= float(self.bias @ sums)
            off = float(np.abs(sums).max()) / max(float(np.abs(self.b).sum()), 1e-300)
        relative = max((primal - dual) / max(primal, 1e-300), off)
        self.trace["objective"].append(primal)
        self.trace["gap"].append(primal - dual)
        if relative < self.best[0]:
            self.best = (max(relative, 0.0), primal, self.b.copy(), self.bias.copy())
