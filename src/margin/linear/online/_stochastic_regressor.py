"""What linear regressors that learn row by row share."""

from abc import ABC
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin

from margin.core import FitReport, Solution, check, linear_scores, progress, stored_rows
from margin.core.types import Array, Floats, Matrix
from margin.linear.online._given_start import given_start
from margin.linear.online._holdout import Part, check_some_weight
from margin.linear.online._sgd_fit import Task, gradient_note, solve_tasks
from margin.linear.online._sgd_settings import RESIDUAL_LOSSES
from margin.linear.online._stochastic_model import StochasticModel


class StochasticRegressor(RegressorMixin, StochasticModel, ABC):
    """A linear regressor learnt by rows."""

    loss_functions = RESIDUAL_LOSSES
    _passive_loss = "epsilon_insensitive"

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
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, order="C")
        given = given_start(self, coef_init, intercept_init, 1, X.shape[1])
        start = self._start(X, warm=self.warm_start)
        if given is not None:
            start = np.append(*given)[: len(start)]
        elif self._starts_at_mean():
            start[-1] = np.average(y, weights=weight)
        rows, kept = self._watched(Part(X, y, weight), stratify=False)
        table = settings.table(rows.X, rows.y, rows.weight)
        monitor = None if kept is None else self._monitor(kept)
        task = Task(settings.rows(rows.X, rows.y, table), start, monitor=monitor)
        self._check_scale([task], settings)
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            (solution,) = solve_tasks(
                [task],
                settings,
                seed=self._seed(),
                max_iter=self.max_iter,
                tol=self.tol,
                callback=tick,
            )
        self.__dict__.pop("_progress", None)
        self._store(X, solution.x, solution)
        notes = gradient_note([solution])
        self.fit_report_ = check.report(self, self._told(solution), notes=notes)
        self.n_iter_ = solution.n_iter
        return self

    def _learn_on(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Self:
        """One epoch over these rows, continuing from where the last call ended."""
        settings = self._settings()
        self._check_stream()
        first = not hasattr(self, "coef_")
        X, y, weight = check.data(self, X, y, sample_weight, sparse=True, order="C", reset=first)
        start = self._start(X, warm=not first)
        rows = settings.rows(X, y, stored_rows(y, weight), whole=False)
        tasks = self._continued([Task(rows, start)])
        self._check_scale(tasks, settings)
        (solution,) = solve_tasks(tasks, settings, seed=self._seed(), max_iter=1, tol=None)
        self._progress = [solution.extras["progress"]]
        self._store(X, rows.trim(self._progress[0].point), solution)
        self.fit_report_ = FitReport.of(self, solution, gradient_note([solution]))
        self.n_iter_ = self._progress[0].epochs
        return self

    def _starts_at_mean(self) -> bool:
        """Whether the intercept does, where nothing is given: not without a tolerance, since then
        a fit is as many calls of ``partial_fit``, which does not know the mean of a stream.
        """
        old = self.warm_start and hasattr(self, "coef_")
        return bool(self.fit_intercept) and not old and self.tol is not None

    def _start(self, X: Any, *, warm: bool) -> Floats:
        """Zeros, or the coefficients of an earlier fit."""
        size = X.shape[1] + int(self.fit_intercept)
        coef, intercept = self._old_coefficients(warm)
        if coef is not None and coef.size == X.shape[1]:
            return np.append(coef, intercept).astype(np.float64)[:size]
        return np.zeros(size)

    def _monitor(self, kept: Part) -> Callable[[Floats], float]:
        """Squared error on the rows set aside, as a share of that of their mean."""
        X, y, weight, intercept = kept.X, kept.y, kept.weight, self.fit_intercept
        spread = float(np.average((y - np.average(y, weights=weight)) ** 2, weights=weight))

        def error(x: Floats) -> float:
            z = np.asarray(X @ x[: X.shape[1]]) + (x[-1] if intercept else 0.0)
            return float(np.average((z - y) ** 2, weights=weight)) / max(spread, 1e-300)

        return error

    def _store(self, X: Any, x: Floats, solution: Solution) -> None:
        p = X.shape[1]
        self.coef_ = x[:p].astype(X.dtype)
        self.intercept_ = np.array([x[p] if self.fit_intercept else 0.0], dtype=X.dtype)
        self.t_ = solution.extras["progress"].taken
        self._keep_averages([solution])

    def predict(self, X: Matrix) -> Array:
        """Predicted targets."""
        X = check.table(self, X, sparse=True)
        if self.coef_.ndim == 2:  # after sparsify
            return linear_scores(X, self.coef_, self.intercept_)
        return np.asarray(X @ self.coef_ + self.intercept_[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
