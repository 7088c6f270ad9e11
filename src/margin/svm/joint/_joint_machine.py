"""What machines for all classes in one problem share: the outline of a fit, and the answers."""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin

from margin.core import Card, atomic, check, progress, random
from margin.core.types import Array, Floats, Indices
from margin.optim import GramMatrix
from margin.svm._gram import indefinite_notes, whole_matrix
from margin.svm._kernel_machine import KernelMachine, functions_at
from margin.svm._row_weights import row_weights
from margin.svm.joint._joint_dual import JointDual


class JointMachine(ClassifierMixin, KernelMachine):
    """A classifier whose functions of all classes are fitted together."""

    kind: ClassVar[int]
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
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        class_weight: Any = None,
        max_iter: int = 5000,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
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

    @staticmethod
    @abstractmethod
    def losses(scores: Floats, codes: Indices) -> Floats:
        """Loss of every row from the scores of all classes and the own class."""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the functions of all classes together.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`.

        Returns
        -------
        self
        """
        check.params(self, positive="C tol", count="max_iter", flag="fit_intercept")
        self._check_kernel()
        X, y, weight = self._training(X, y, sample_weight, "classes")
        classes, codes = check.classes(self, y)

        name = type(self).__name__
        weight = row_weights(name, classes, codes, weight, self.class_weight)
        kernel = self._choice().resolve(X, weight)
        K = whole_matrix(name, kernel, X)
        notes = self._warned(indefinite_notes(kernel, GramMatrix(K)))
        problem = JointDual(
            K=K,
            codes=codes.astype(np.int64),
            cap=self.C * weight,
            n_classes=len(classes),
            kind=self.kind,
            losses=self.losses,
            fit_intercept=bool(self.fit_intercept),
        )

        with progress.bar(name, self.max_iter) as tick:
            solution = problem.solve(
                tol=float(self.tol),
                max_iter=int(self.max_iter),
                rng=random.generator(self.random_state),
                callback=tick,
            )

        support = np.flatnonzero(np.any(solution.x != 0, axis=1))
        coef, bias = solution.x[support], solution.extras["bias"]
        self.classes_ = classes
        self._keep_functions(functions_at(kernel, X, support, coef, bias))
        self.dual_coef_ = np.ascontiguousarray(coef.T)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution, notes)
        return self

    def decision_function(self, X: Any) -> Array:
        """Difference of the two scores for two classes, otherwise the score of every class."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """Label of every row."""
        codes = self._scores(X).argmax(axis=1)
        return np.asarray(self.classes_[codes])
