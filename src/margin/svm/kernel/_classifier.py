"""What support vector classifiers with kernels share: the outline of a fit."""

from abc import abstractmethod
from typing import Any, Self

from margin.core import atomic, check, progress
from margin.svm._gram import indefinite_notes, training_gram
from margin.svm._row_weights import row_weights
from margin.svm.kernel._class_duals import ClassDual
from margin.svm.kernel._class_machines import ClassData, merged, train_machines
from margin.svm.kernel._dual_machine import DualMachine
from margin.svm.kernel._voting_machine import VotingMachine


class KernelClassifier(VotingMachine, DualMachine):
    """A support vector classifier of any number of classes."""

    class_weight: Any = None

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
            Non-negative weights of the losses; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        data = self._data(X, y, sample_weight)
        notes = self._warned(indefinite_notes(data.kernel, data.gram))

        with progress.bar(type(self).__name__) as tick:
            machines = train_machines(data, self.multi_class, self._dual(), self._settings(), tick)

        self._keep_classifier(self._assembled(data, machines))
        self._keep_report(merged(machines), notes)
        return self

    def _check_params(self) -> None:
        self._check_dual()
        self._check_votes()
        self._check_strength()

    @abstractmethod
    def _check_strength(self) -> None:
        """Refuse a bad price of errors, or share of them."""

    @abstractmethod
    def _dual(self) -> ClassDual:
        """What the machine of one duel minimises."""

    def _data(self, X: Any, y: Any, sample_weight: Any) -> ClassData:
        """Checked data with their kernel matrix."""
        X, y, weight = self._training(X, y, sample_weight, "classes")
        classes, codes = check.classes(self, y)
        settings = self._settings()
        kernel = self._choice().resolve(X, weight)
        weight = row_weights(settings.owner, classes, codes, weight, self.class_weight)
        gram = training_gram(
            kernel,
            X,
            tol=settings.tol,
            cache_size=settings.cache_size,
            n_threads=settings.n_threads,
        )
        return ClassData(X, classes, codes, weight, kernel, gram)
