"""What the stochastic estimators share: parameters, rows set aside, searches that go on."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from margin import optim
from margin.core import Solution, SparseCoefficients, Status, check, threads
from margin.core.types import Array, Floats
from margin.linear.online._given_start import drawn_seed
from margin.linear.online._holdout import Part, holdout
from margin.linear.online._sgd_fit import Task
from margin.linear.online._sgd_settings import PENALTIES, RATES, Settings

_CUT_SHORT = (
    "Maximum number of iteration reached before convergence. Consider increasing max_iter to "
    "improve the fit."
)
_OVERFLOW = (
    "scaled (Floating-point under-/overflow occurred at epoch #1. Scaling input data with "
    "StandardScaler or MinMaxScaler might help.)"
)


class StochasticModel(SparseCoefficients, BaseEstimator, ABC):
    """An estimator that learns row by row, with the parameters of scikit-learn's.

    Attributes
    ----------
    loss_functions : dict
        The losses by name: their class, and the usual width of those that have one.
    """

    loss_functions: ClassVar[dict[str, tuple[Any, ...]]]
    _passive_loss: ClassVar[str]  # the one that passive-aggressive steps are for

    @abstractmethod
    def _settings(self) -> Settings:
        """The parameters, if they make sense, as a value."""

    def _gradient_settings(self) -> Settings:
        """The settings of stochastic gradient descent."""
        if self.l1_ratio is None and self.penalty == "elasticnet":
            need = "given: l1_ratio must be set when penalty is 'elasticnet'"
            raise check.fail(self, "l1_ratio", need, None)
        check.params(
            self,
            nonnegative="alpha epsilon",
            positive="eta0",
            fraction="" if self.l1_ratio is None else "l1_ratio",
            one_of={
                "loss": tuple(self.loss_functions),
                "penalty": PENALTIES,
                "learning_rate": RATES,
            },
        )
        if self._check_number("power_t") < 0:
            text = (
                f"{type(self).__name__}: Negative values for `power_t` are deprecated as in "
                f"scikit-learn 1.8, and count as 0, got {self.power_t}"
            )
            warnings.warn(text, FutureWarning, stacklevel=5)
        rate = self.learning_rate
        if rate == "optimal" and self.alpha == 0:
            raise check.fail(self, "alpha", "above 0 for learning_rate='optimal'", self.alpha)
        if rate in ("pa1", "pa2") and self.loss != self._passive_loss:
            need = (
                f"{self._passive_loss!r} for learning_rate={rate!r} (Learning rate '{rate}' only "
                f"works with loss '{self._passive_loss}')"
            )
            raise check.fail(self, "loss", need, self.loss)
        names = [
            "loss",
            "epsilon",
            "penalty",
            "alpha",
            "l1_ratio",
            "learning_rate",
            "eta0",
            "power_t",
        ]
        return self._all_settings(**{name: getattr(self, name) for name in names})

    def _all_settings(self, **of_the_steps: Any) -> Settings:
        """The settings, given those of loss, penalty and steps."""
        check.params(
            self,
            nonnegative="" if self.tol is None else "tol",
            count="max_iter n_iter_no_change",
            flag="fit_intercept shuffle early_stopping warm_start",
        )
        average = self.average
        if not isinstance(average, bool | int | np.integer) or average < 0:
            raise check.fail(self, "average", "True, False or an integer of at least 0", average)
        if not 0 < self._check_number("validation_fraction") < 1:
            raise check.fail(
                self, "validation_fraction", "between 0 and 1", self.validation_fraction
            )
        return Settings(
            **of_the_steps,
            fit_intercept=self.fit_intercept,
            average=average if isinstance(average, bool) else int(average),
            shuffle=self.shuffle,
            n_iter_no_change=self.n_iter_no_change,
            n_threads=threads.count(getattr(self, "n_jobs", None)),
        )

    def _check_number(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise check.fail(self, name, "a number", value)
        return value

    def _check_scale(self, tasks: Sequence[Task], settings: Settings) -> None:
        """Refuse rows whose squares are no numbers where steps are measured by them."""
        if settings.learning_rate != "optimal":
            return
        for task in tasks:
            if not isfinite(task.rows.usual_smoothness):
                raise check.fail(self, "X", _OVERFLOW, "squares beyond the largest number")

    def _watched(self, rows: Part, *, stratify: bool) -> tuple[Part, Part | None]:
        """Rows to train on, and those set aside to be watched, if any."""
        if not self.early_stopping:
            return rows, None
        share, state = float(self.validation_fraction), self.random_state
        return holdout(self, rows, share=share, random_state=state, stratify=stratify)

    def _old_coefficients(self, wanted: bool) -> tuple[Array | None, Any]:
        """Coefficients and intercepts of an earlier fit, if there is one and it is wanted."""
        if not wanted or not hasattr(self, "coef_"):
            return None, None
        return self.coef_.toarray() if issparse(self.coef_) else self.coef_, self.intercept_

    def _check_stream(self) -> None:
        """Refuse what asks for all rows at once in ``partial_fit``."""
        if self.early_stopping:
            need = "False for partial_fit (early_stopping should be False with partial_fit)"
            raise check.fail(self, "early_stopping", need, True)
        if issparse(getattr(self, "coef_", None)):
            need = "an array for partial_fit: call densify() first"
            raise check.fail(self, "coef_", need, "a sparse matrix")

    def _continued(self, tasks: list[Task]) -> list[Task]:
        """The tasks, from where the last call of ``partial_fit`` or ``fit`` ended."""
        last = getattr(self, "_progress", None)
        if last is None:
            taken, epochs = getattr(self, "t_", 0), getattr(self, "n_iter_", 0)
            padded = [task.rows.pad(task.start) for task in tasks]
            means = [w.copy() if self.average else None for w in padded]
            pairs = zip(padded, means, strict=True)
            last = [optim.Progress(w, mean, taken, epochs) for w, mean in pairs]
        return [replace(task, progress=at) for task, at in zip(tasks, last, strict=True)]

    def _keep_averages(self, solutions: Sequence[Solution]) -> None:
        """The last point and the mean of all, under the names that scikit-learn has for them."""
        if not self.average:
            for name in ("_standard_coef", "_standard_intercept", "_average_coef"):
                self.__dict__.pop(name, None)
            self.__dict__.pop("_average_intercept", None)
            return
        last: Floats = np.vstack([s.extras["progress"].w for s in solutions])
        mean: Floats = np.vstack([s.extras["progress"].mean for s in solutions])
        shape = self.coef_.shape
        self._standard_coef, self._standard_intercept = last[:, :-1].reshape(shape), last[:, -1]
        self._average_coef, self._average_intercept = mean[:, :-1].reshape(shape), mean[:, -1]

    def _told(self, solution: Solution) -> Solution:
        """The solution, in scikit-learn's words where the epochs were used up."""
        if solution.status is not Status.MAX_ITER or solution.interrupted:
            return solution
        return replace(solution, message=f"{solution.message}. {_CUT_SHORT}")

    def _seed(self) -> int:
        """A seed for the orders of the rows."""
        return drawn_seed(self.random_state)
