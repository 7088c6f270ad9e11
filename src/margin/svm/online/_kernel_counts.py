"""Kernel machines that learn by counting corrections: shared by perceptron and Pegasos."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from margin.core import best_label, check, random, threads
from margin.core.objects import count
from margin.native.duals.kernel_counts import count_steps
from margin.optim import GramMatrix
from margin.svm._gram import training_gram, warn_if_indefinite
from margin.svm._kernel_data import check_kernel_params, fit_data, resolved
from margin.svm.kernel._classifier_answers import machine_scores, set_kernel_tags
from margin.svm.kernel._classifier_fit import precision, row_weights, store_vectors
from margin.svm.online._visits import loss_shares, rows_to_visit, visit_orders

# Visits between two looks at the whole of a kernel matrix that does not fit in memory.
LEAST, MOST = 32, 512


@dataclass(frozen=True, eq=False)
class CountingProblem:
    """What the machines are to learn.

    Parameters
    ----------
    X : table, kernel matrix or list
    kernel : Kernel or None
    gram : Gram
        Kernel matrix, whole or by rows.
    codes : ndarray of int
    signs : ndarray of shape (machines, n)
        +1 for the own class of a machine, -1 for the others.
    shares : ndarray
        Share of every row in the mean loss.
    orders : iterator of ndarray
        Rows to visit, epoch after epoch.
    notes : tuple of str
    """

    X: Any
    kernel: Any
    gram: Any
    codes: Any
    signs: Any
    shares: Any
    orders: Any
    notes: tuple[str, ...] = ()


class Corrections:
    """Counts of the corrections, and the sums of signed kernel rows that they stand for."""

    def __init__(self, problem, *, average=False, block=None):
        self.problem, shape = problem, problem.signs.shape
        self.counts, self.values = np.zeros(shape), np.zeros(shape)
        self.late: Any = np.zeros(shape) if average else None
        self.t = 0
        self._block = block
        whole = isinstance(problem.gram, GramMatrix) and block is None
        self._rows: Any = None if whole else problem.gram.columns(None)

    def visit(self, order, machines, slope=0.0):
        """Visit rows once for the chosen machines; the loop is compiled."""
        if self._rows is None:
            state = (self.values, self.counts)
            self._steps(self.problem.gram.matrix, order, machines, slope, state, self.late)
            return
        n = self.problem.gram.n
        size = self._block or int(np.clip(2e7 // n, LEAST, MOST))
        for at in range(0, len(order), size):
            self._visit_block(order[at : at + size], machines, slope)

    def _visit_block(self, order, machines, slope):
        """Steps within the matrix of the rows to visit; then all values at once."""
        rows, places = np.unique(order, return_inverse=True)
        matrix = np.ascontiguousarray(self.problem.gram.columns(rows)(rows))
        state = (
            np.ascontiguousarray(self.values[:, rows]),
            np.zeros((len(self.counts), len(rows))),
        )
        late = None if self.late is None else np.zeros_like(state[1])
        self._steps(matrix, places, machines, slope, state, late, rows)
        made = state[1]
        changed = np.flatnonzero(made.any(axis=0))
        if len(changed):
            signed = made[:, changed] * self.problem.signs[:, rows[changed]]
            self.values += signed @ self._rows(rows[changed])
        self.counts[:, rows] += made
        if late is not None:
            self.late[:, rows] += late

    def _steps(self, matrix, order, machines, slope, state, late, rows=None):
        codes = self.problem.codes if rows is None else self.problem.codes[rows]
        elapsed = self.t
        count_steps(matrix, order, codes, machines, *state, slope=slope, elapsed=elapsed, late=late)
        self.t += len(order)

    def products(self, coef):
        """Kernel matrix times signed coefficients of shape (machines, n), most of them zero."""
        rows, made = np.flatnonzero(coef.any(axis=0)), np.zeros(coef.shape)
        evaluate = self.problem.gram.columns(None)
        for at in range(0, len(rows), MOST):
            part = rows[at : at + MOST]
            made += coef[:, part] @ evaluate(part)
        return made


class CountingMachine(ClassifierMixin, BaseEstimator):
    """A kernel classifier whose coefficients are counts of corrections; one machine per class."""

    def _problem(self, X, y, sample_weight):
        """Checked data, kernel matrix and orders of the rows."""
        check.params(self, positive="cache_size")
        check_kernel_params(self)
        X, y, weight = fit_data(self, X, y, sample_weight, "classes")
        self.classes_, codes = check.classes(self, y)
        kernel = resolved(self, X, weight)
        if weight is not None:
            weight = row_weights(self, codes, weight)
        rows = rows_to_visit(X, codes, weight, table=kernel is not None and not isinstance(X, list))
        gram = training_gram(
            kernel, X, tol=1.0, cache_size=self.cache_size, n_threads=threads.count(self.n_jobs)
        )
        notes = warn_if_indefinite(self, kernel, gram)
        own = np.arange(len(self.classes_))[:, None] if len(self.classes_) > 2 else np.array([[1]])
        seed = int(random.generator(self.random_state).integers(2**62))
        return CountingProblem(
            X=X,
            kernel=kernel,
            gram=gram,
            codes=codes.astype(np.int64),
            signs=np.where(codes == own, 1.0, -1.0),
            shares=loss_shares(rows, count(X)),
            orders=visit_orders(rows, seed),
            notes=notes,
        )

    def _store(self, problem, counts, coef, solution):
        """Keep the rows with a coefficient; ``counts`` and ``coef`` have one row per machine."""
        self.counts_ = counts.astype(np.int64)
        self.support_ = np.flatnonzero(counts.any(axis=0) | coef.any(axis=0)).astype(np.int32)
        self._coef = np.ascontiguousarray(coef[:, self.support_].T)
        self.dual_coef_ = coef[:, self.support_]
        self.intercept_ = np.zeros(len(coef), dtype=precision(problem.X))
        store_vectors(self, problem.X, problem.kernel)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, problem.notes)
        return self

    def decision_function(self, X):
        """Scores: of the second of two classes, or one per class."""
        found = machine_scores(self, X)
        return found[:, 0] if len(self.classes_) == 2 else found

    def predict(self, X):
        """Label of every row."""
        return best_label(self, self.decision_function(X))

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())
