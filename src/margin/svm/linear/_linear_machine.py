"""What linear support vector machines share: the checks of their parameters."""

import sys
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator

from margin.core import FitReport, Solution, check
from margin.svm.linear._linear_fit import LinearSettings


class LinearMachine(BaseEstimator, ABC):
    """A linear machine with a price of errors and an intercept that may be penalised."""

    _losses: ClassVar[tuple[str, ...]]
    C: Any
    loss: Any
    dual: Any
    tol: Any
    fit_intercept: Any
    intercept_scaling: Any
    max_iter: Any
    verbose: Any
    fit_report_: FitReport

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the machine."""

    def _check_linear(self) -> None:
        """Refuse bad parameters that the linear machines share."""
        check.params(
            self,
            positive="C tol",
            count="max_iter",
            flag="fit_intercept",
            one_of={"loss": self._losses, "dual": ("auto", True, False)},
        )
        scaling = self.intercept_scaling
        if not (isinstance(scaling, float) and scaling == np.inf):
            check.params(self, positive="intercept_scaling")

    def _settings(
        self, *, squared: bool, epsilon: float = 0.0, sparse: bool = False
    ) -> LinearSettings:
        return LinearSettings(
            C=float(self.C),
            squared=squared,
            epsilon=float(epsilon),
            constant=float(self.intercept_scaling) if self.fit_intercept else 0.0,
            dual=self.dual,
            tol=float(self.tol),
            max_iter=int(self.max_iter),
            sparse=sparse,
        )

    def _keep_report(self, solution: Solution) -> None:
        """Store the report, and print it where that was asked for."""
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        if self.verbose:
            sys.stdout.write(f"{self.fit_report_}\n")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
