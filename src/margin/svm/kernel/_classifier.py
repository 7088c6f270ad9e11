"""What support vector classifiers with kernels share: the outline of a fit, and all answers."""

from abc import abstractmethod

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if

from margin.core import atomic
from margin.svm.kernel._classifier_answers import (
    answers_probabilities,
    decision_values,
    linear_weights,
    predicted,
    probabilities,
    set_kernel_tags,
)
from margin.svm.kernel._classifier_fit import check_classifier_params, fit_classifier


class KernelClassifier(ClassifierMixin, BaseEstimator):
    """A support vector classifier that trains one machine per duel of classes."""

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        check_classifier_params(self)
        self._check_strength()
        return fit_classifier(self, X, y, sample_weight, self._train)

    @abstractmethod
    def _check_strength(self):
        """Refuse a bad price of errors, or share of them."""

    @abstractmethod
    def _train(self, gram, sign, weight, n_threads, tick):
        """The machine of one duel."""

    @property
    def coef_(self):
        """Weights of the features for the linear kernel."""
        return linear_weights(self)

    def decision_function(self, X):
        """Distances from the boundary in units of the margin.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For a precomputed kernel the values with all training rows.

        Returns
        -------
        ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            For two classes positive for the second. For ``"ovr"`` shape the votes, with less than
            a third from the values; for ``"ovo"`` shape one value per pair, positive for its first.
        """
        return decision_values(self, X)

    def predict(self, X):
        """Label of every row."""
        return predicted(self, X)

    @available_if(answers_probabilities)
    def predict_proba(self, X):
        """Probability of every class, in the order of ``classes_``; those of pairs are coupled."""
        return probabilities(self, X)

    @available_if(answers_probabilities)
    def predict_log_proba(self, X):
        """Logarithm of :meth:`predict_proba`."""
        return np.log(probabilities(self, X))

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())
