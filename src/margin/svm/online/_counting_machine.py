"""What kernel machines share that learn by counting corrections: the checks, and the answers."""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from margin.core import FitReport, Solution, best_label, check, random, threads
from margin.core.objects import count
from margin.core.types import Array, Floats, Indices
from margin.svm._gram import indefinite_notes, training_gram
from margin.svm._kernel_machine import KernelMachine, functions_at
from margin.svm._row_weights import row_weights
from margin.svm.online._kernel_counts import CountingProblem
from margin.svm.online._row_visits import loss_shares, rows_to_visit, visit_orders


class CountingMachine(ClassifierMixin, KernelMachine):
    """A kernel classifier whose coefficients are counts of corrections; one machine per class."""

    cache_size: Any
    random_state: Any
    classes_: Array
    counts_: Indices
    dual_coef_: Floats
    n_iter_: int
    fit_report_: FitReport

    def _problem(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, CountingProblem]:
        """The classes, and checked data with kernel matrix and orders of the rows."""
        check.params(self, positive="cache_size")
        self._check_kernel()
        X, y, weight = self._training(X, y, sample_weight, "classes")
        classes, codes = check.classes(self, y)
        kernel = self._choice().resolve(X, weight)
        if weight is not None:
            weight = row_weights(type(self).__name__, classes, codes, weight)
        rows = rows_to_visit(X, codes, weight, table=kernel is not None and not isinstance(X, list))
        n_threads = threads.count(self.n_jobs)
        gram = training_gram(
            kernel, X, tol=1.0, cache_size=float(self.cache_size), n_threads=n_threads
        )
        own = np.arange(len(classes))[:, None] if len(classes) > 2 else np.array([[1]])
        seed = int(random.generator(self.random_state).integers(2**62))
        return classes, CountingProblem(
            X=X,
            kernel=kernel,
            gram=gram,
            codes=codes.astype(np.int64),
            signs=np.where(codes == own, 1.0, -1.0),
            shares=loss_shares(rows, count(X)),
            orders=visit_orders(rows, seed),
        )

    def _keep(
        self,
        classes: Array,
        problem: CountingProblem,
        counts: Floats,
        coef: Floats,
        solution: Solution,
    ) -> Self:
        """Store the rows with a coefficient; ``counts`` and ``coef`` have one row per machine."""
        support = np.flatnonzero(counts.any(axis=0) | coef.any(axis=0))
        kept = np.ascontiguousarray(coef[:, support].T)
        notes = self._warned(indefinite_notes(problem.kernel, problem.gram), stacklevel=5)
        self.classes_ = classes
        self.counts_ = counts.astype(np.int64)
        self._keep_functions(
            functions_at(problem.kernel, problem.X, support, kept, np.zeros(len(coef)))
        )
        self.dual_coef_ = coef[:, support]
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def decision_function(self, X: Any) -> Array:
        """Scores: of the second of two classes, or one per class."""
        scores = self._scores(X)
        return np.asarray(scores[:, 0]) if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """Label of every row."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)
