"""What support vector classifiers with kernels share: the outline of a fit, and all answers."""

import warnings
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import NotFittedError

from margin.core import Solution, atomic, available_if, check, progress, random
from margin.core.types import Array, Floats, Ints
from margin.optim import Machine
from margin.svm._gram import indefinite_notes, training_gram
from margin.svm._kernel_machine import KernelMachine, extent, like_vectors
from margin.svm._row_weights import class_factors, row_weights
from margin.svm.diagnosis._support_report import SupportReport
from margin.svm.kernel._class_duals import ClassDual
from margin.svm.kernel._class_machines import (
    ClassData,
    TrainedClassifier,
    assembled,
    merged,
    train_machines,
)
from margin.svm.kernel._dual_machine import DualMachine
from margin.svm.kernel._multiclass import STRATEGIES
from margin.svm.kernel._probability import PROBABILITIES, calibration
from margin.svm.kernel._votes import Votes


def _answers_probabilities(machine: Any) -> bool:
    if not calibration(machine.probability):
        raise AttributeError(
            f"{type(machine).__name__}: predict_proba needs probability=True, or the name of a "
            "method, 'sigmoid' or 'isotonic'"
        )
    return True


class VotingMachine(ClassifierMixin, KernelMachine):
    """A classifier that trains one machine per duel of classes and lets them vote."""

    probability: Any
    decision_function_shape: Any
    break_ties: Any
    multi_class: Any
    tol: Any
    random_state: Any
    classes_: Array
    n_support_: Ints
    dual_coef_: Any
    support_report_: SupportReport | list[SupportReport]

    def _check_votes(self) -> None:
        """Refuse bad parameters of how the machines answer together."""
        check.params(
            self,
            flag="break_ties",
            one_of={
                "decision_function_shape": ("ovr", "ovo"),
                "multi_class": STRATEGIES,
                "probability": PROBABILITIES,
            },
        )

    def _assembled(self, data: ClassData, machines: list[Machine]) -> TrainedClassifier:
        """Trained machines as this classifier would show them."""
        method = calibration(self.probability)
        return assembled(
            data,
            machines,
            strategy=self.multi_class,
            calibration=method,
            tol=float(self.tol),
            rng=None if method is None else random.generator(self.random_state),
        )

    def _keep_classifier(self, trained: TrainedClassifier) -> None:
        """Store the machines, but for the report of the fit."""
        self.classes_ = trained.classes
        self._keep_functions(trained.functions)
        self.n_support_ = trained.n_support
        self.dual_coef_ = like_vectors(trained.dual_coef, trained.functions.vectors)
        reports = list(trained.reports)
        self.support_report_ = reports[0] if len(reports) == 1 else reports
        self._calibrations = list(trained.calibrations)

    def _votes(self) -> Votes:
        return Votes(
            len(self.classes_), self.multi_class, self.decision_function_shape, self.break_ties
        )

    def decision_function(self, X: Any) -> Array:
        """Distances from the boundary in units of the margin.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For a precomputed kernel the values with all training rows; for several of them of
            shape (n_kernels, n_queries, n_samples).

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            For two classes positive for the second. For ``"ovr"`` shape the votes, with less than
            a third from the values; for ``"ovo"`` shape one value per pair, positive for its first.
        """
        scores = self._scores(X)
        return self._votes().decision(scores)

    def predict(self, X: Any) -> Array:
        """Label of every row."""
        scores = self._scores(X)
        return np.asarray(self.classes_[self._votes().codes(scores)])

    @available_if(_answers_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Probability of every class, in the order of ``classes_``; those of pairs are coupled."""
        scores, method = self._scores(X), calibration(self.probability)
        if method is None or not self._calibrations:
            raise NotFittedError(
                f"{type(self).__name__}: predict_proba is not available when fitted with "
                "probability=False; fit again with probability='sigmoid'"
            )
        return self._votes().probabilities(scores, method, self._calibrations)

    @available_if(_answers_probabilities)
    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithm of :meth:`predict_proba`."""
        return np.asarray(np.log(self.predict_proba(X)))

    @property
    def probA_(self) -> Floats:
        """Slopes of Platt's method in LIBSVM's sign; deprecated, as in scikit-learn."""
        return -self._sigmoids("probA_")[:, 0]

    @property
    def probB_(self) -> Floats:
        """Offsets of Platt's method in LIBSVM's sign; deprecated, as in scikit-learn."""
        return -self._sigmoids("probB_")[:, 1]

    def _sigmoids(self, attribute: str) -> Floats:
        """Slope and offset of every machine; no rows without Platt's method."""
        warnings.warn(
            f"{type(self).__name__}: Attribute `{attribute}` was deprecated in scikit-learn 1.9 "
            "and is removed there in 1.11",
            FutureWarning,
            stacklevel=3,
        )
        platt = calibration(self.probability) == "sigmoid"
        pairs = [(a[0], b[0]) for a, b in self._calibrations] if platt else []
        return np.array(pairs, dtype=np.float64).reshape(-1, 2)


class KernelClassifier(VotingMachine, DualMachine):
    """A support vector classifier of any number of classes."""

    class_weight: Any = None
    class_weight_: Floats
    _one_left = ""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the machines.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or list of objects
            The kernel matrix for ``kernel="precomputed"``.
        y : array-like of shape (n_samples,)
            Labels of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the losses; a weight of two is the same as the row twice, and rows of
            weight zero or less are left out.

        Returns
        -------
        self
        """
        self._check_dual()
        self._check_votes()
        dual = self._dual()
        if isinstance(self.probability, bool):
            warnings.warn(
                f"{type(self).__name__}: True and False for the `probability` parameter were "
                "deprecated in scikit-learn 1.9; use 'sigmoid' or 'isotonic', or leave it out",
                FutureWarning,
                stacklevel=3,
            )
        data = self._data(X, y, sample_weight)
        notes = self._warned(indefinite_notes(data.kernel, data.gram))

        with progress.bar(type(self).__name__) as tick:
            machines = train_machines(data, self.multi_class, dual, self._settings(), tick)

        self.shape_fit_, self.class_weight_ = extent(data.X), data.factors
        self._keep_classifier(self._assembled(data, machines))
        self._keep_report(merged(machines), notes)
        return self

    def _keep_report(self, solution: Solution, notes: tuple[str, ...] = ()) -> None:
        """Store the report, and the steps of every machine."""
        super()._keep_report(solution, notes)
        steps = solution.extras.get("n_iter", (solution.n_iter,))
        self.n_iter_ = np.maximum(1, np.array(steps, dtype=np.int32))

    @abstractmethod
    def _dual(self) -> ClassDual:
        """What the machine of one duel minimises; a bad price or share of errors is refused."""

    def _data(self, X: Any, y: Any, sample_weight: Any) -> ClassData:
        """Checked data with their kernel matrix."""
        X, y, weight = self._training(X, y, sample_weight, "classes")
        classes, codes = check.classes(self, y)
        settings = self._settings()
        kernel = self._choice().resolve(X, weight)
        factors = class_factors(settings.owner, classes, codes, weight, self.class_weight)
        weight = row_weights(
            settings.owner, classes, codes, weight, self.class_weight, otherwise=self._one_left
        )
        gram = training_gram(
            kernel,
            X,
            tol=settings.tol,
            cache_size=settings.cache_size,
            n_threads=settings.n_threads,
        )
        return ClassData(X, classes, codes, weight, kernel, gram, factors)
