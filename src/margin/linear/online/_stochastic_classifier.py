"""What linear classifiers that learn row by row share."""

from abc import ABC
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin

from margin.core import (
    FitReport,
    Solution,
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
from margin.linear.online._holdout import Part, check_some_weight
from margin.linear.online._sgd_fit import gradient_note, solve_tasks
from margin.linear.online._sgd_settings import MARGIN_LOSSES, RESIDUAL_LOSSES
from margin.linear.online._stochastic_model import StochasticModel

_BALANCED = (
    "given by class: class_weight 'balanced' is not supported for partial_fit. In order to use "
    "'balanced' weights, use compute_class_weight('balanced', classes=classes, y=y). In place of y "
    "you can use a large enough sample of the full training set target to properly estimate the "
    "class frequency distributions. Pass the resulting weights as the class_weight parameter."
)


class StochasticClassifier(ClassifierMixin, StochasticModel, ABC):
    """A linear classifier for two classes, or one per class against the rest, learnt by rows."""

    loss_functions = {**MARGIN_LOSSES, **RESIDUAL_LOSSES}
    _passive_loss = "hinge"

    def _learn(
        self,
        X: Matrix,
        y: ArrayLike,
        coef_init: ArrayLike | None,
        intercept_init: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> Self:
        """Fit until the objective no longer falls."""
        settings = self._settings()
        if self.early_stopping:
            check_some_weight(self, sample_weight)
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
        self._check_scale(tasks, settings)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solutions = solve_tasks(
                tasks,
                settings,
                seed=self._seed(),
                max_iter=self.max_iter,
                tol=self.tol,
                callback=tick,
            )
        whole = self._told(Solution.merge(solutions, parts="classes", objective="mean"))
        self.__dict__.pop("_progress", None)
        self._store(X, labels, [s.x for s in solutions], solutions)
        self.fit_report_ = check.report(self, whole, notes=gradient_note(solutions))
        self.n_iter_ = whole.n_iter
        return self

    def _learn_on(
        self,
        X: Matrix,
        y: ArrayLike,
        classes: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> Self:
        """One epoch over these rows, continuing from where the last call ended."""
        settings = self._settings()
        self._check_stream()
        if self.class_weight == "balanced":
            raise check.fail(self, "class_weight", _BALANCED, "balanced")
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
        self._check_scale(tasks, settings)
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
        self._keep_averages(solutions)

    def decision_function(self, X: Matrix) -> Array:
        """Scores: of the second class for two classes, one per class for more."""
        X = check.table(self, X, sparse=True)
        return linear_scores(X, self.coef_, self.intercept_)

    def predict(self, X: Matrix) -> Array:
        """Label of the highest score."""
        scores = self.decision_function(X)
        return best_label(self.classes_, scores)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
