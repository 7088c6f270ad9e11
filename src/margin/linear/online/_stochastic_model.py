"""What the stochastic estimators share: parameters, rows set aside, searches that go on."""

import warnings
from abc import ABC
from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from margin import optim
from margin.core import SparseCoefficients, check, threads
from margin.core.random import generator
from margin.core.types import Array
from margin.linear.online._holdout import Part, holdout
from margin.linear.online._sgd_fit import Task
from margin.linear.online._sgd_settings import PENALTIES, RATES, Settings


class StochasticModel(SparseCoefficients, BaseEstimator, ABC):
    """An estimator with the parameters of scikit-learn's stochastic gradient descent."""

    _losses: ClassVar[tuple[str, ...]]

    def _settings(self) -> Settings:
        """The parameters, if they make sense, as a value."""
        check.params(
            self,
            nonnegative="alpha epsilon verbose",
            count="max_iter n_iter_no_change",
            flag="fit_intercept shuffle early_stopping warm_start",
            positive="eta0",
            one_of={"loss": self._losses, "penalty": PENALTIES, "learning_rate": RATES},
        )
        if self.tol is not None:
            check.params(self, nonnegative="tol")
        if self.l1_ratio is not None:
            check.params(self, fraction="l1_ratio")
        elif self.penalty == "elasticnet":
            need = "given: l1_ratio must be set when penalty is 'elasticnet'"
            raise check.fail(self, "l1_ratio", need, None)
        if self._check_number("power_t") < 0:
            text = (
                f"{type(self).__name__}: Negative values for `power_t` are deprecated as in "
                f"scikit-learn 1.8, and count as 0, got {self.power_t}"
            )
            warnings.warn(text, FutureWarning, stacklevel=4)
        average = self.average
        if not isinstance(average, bool | int | np.integer) or average < 0:
            raise check.fail(self, "average", "True, False or an integer of at least 0", average)
        if not 0 < self._check_number("validation_fraction") < 1:
            raise check.fail(
                self, "validation_fraction", "between 0 and 1", self.validation_fraction
            )
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise check.fail(self, "alpha", "above 0 for learning_rate='optimal'", self.alpha)
        given = {f.name: getattr(self, f.name) for f in fields(Settings) if f.name != "n_threads"}
        return Settings(**given, n_threads=threads.count(self.n_jobs))

    def _check_number(self, name: str) -> Any:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise check.fail(self, name, "a number", value)
        return value

    def _watched(self, rows: Part, *, stratify: bool) -> tuple[Part, Part | None]:
        """Rows to train on, and those set aside to be watched, if any."""
        if not self.early_stopping:
            return rows, None
        share, rng = float(self.validation_fraction), self._rng()
        return holdout(self, rows, share=share, rng=rng, stratify=stratify)

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

    def _rng(self) -> np.random.Generator:
        return generator(self.random_state)

    def _seed(self) -> int:
        """A seed for the orders of the rows."""
        return int(self._rng().integers(2**31))
