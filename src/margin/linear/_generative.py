"""What all generative classifiers share."""

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import check, random


class GenerativeClassifier(ClassifierMixin, BaseEstimator, ABC):
    r"""A classifier that models :math:`p(x, y) = p(y)\, p(x \mid y)` (linear.22).

    A subclass fits ``classes_`` and ``priors_`` and gives :meth:`log_joint`, and rows of given
    classes; prediction by Bayes' rule, posterior probabilities, confidence, the choice not to
    answer and samples follow from it.
    """

    @abstractmethod
    def log_joint(self, X):
        """Logarithm of :math:`p(x, y)` for every row and class, up to a constant per row."""

    @abstractmethod
    def _draw(self, code, rng):
        """A row of each class in ``code``."""

    def _class_shares(self):
        """Prior probabilities, that of the classes in samples."""
        return self.priors_

    def sample(self, n_samples=1, random_state=None):
        """Rows and labels drawn from the fitted model.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : None, int, Generator or RandomState

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            Categories of a frame as their codes; of :class:`FisherDiscriminant`, which models
            positions on a line, one column of them.
        y : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        rng = random.generator(random_state)
        code = rng.choice(len(self.classes_), size=n_samples, p=self._class_shares())
        return self._draw(code, rng), self.classes_[code]

    def predict(self, X):
        """Most probable class of each row."""
        best = self.log_joint(X).argmax(axis=1)
        return self.classes_[best]

    def predict_log_proba(self, X):
        """Logarithm of the posterior probability of every class."""
        joint = self.log_joint(X)
        joint = joint - joint.max(axis=1, keepdims=True)
        return joint - np.log(np.exp(joint).sum(axis=1, keepdims=True))

    def predict_proba(self, X):
        """Posterior probability of every class, in the order of ``classes_``."""
        joint = self.log_joint(X)
        joint = np.exp(joint - joint.max(axis=1, keepdims=True))
        return joint / joint.sum(axis=1, keepdims=True)

    def confidence(self, X):
        """Posterior of the best class minus that of the second best (linear.23)."""
        top = np.partition(self.predict_proba(X), -2, axis=1)[:, -2:]
        return top[:, 1] - top[:, 0]

    def predict_or_reject(self, X, *, threshold=0.9, reject=None):
        """Most probable class where its posterior reaches a threshold, else "don't know".

        The rule of least risk when a wrong answer costs 1 and no answer costs ``1 - threshold``
        (linear.24).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        threshold : float, default=0.9
            Least posterior probability to answer.
        reject : object, default=None
            What stands for "don't know".

        Returns
        -------
        ndarray of object, shape (n_samples,)
        """
        if not 0 <= threshold <= 1:
            raise check.fail(self, "threshold", "a number between 0 and 1", threshold)
        posterior = self.predict_proba(X)
        answer = self.classes_[posterior.argmax(axis=1)].astype(object)
        answer[posterior.max(axis=1) < threshold] = reject
        return answer


def class_priors(estimator, priors, total, name="priors"):
    """Given priors, checked, or the frequencies of the classes (linear.25).

    ``priors`` is None for frequencies, ``"uniform"`` for equal ones, or one number per class;
    ``name`` is what the parameter is called in errors.
    """
    if priors is None:
        return total / total.sum()
    if isinstance(priors, str) and priors == "uniform":
        return np.full(len(total), 1.0 / len(total))
    requirement = f'None, "uniform" or {len(total)} non-negative numbers with sum 1'
    try:
        found = np.asarray(priors, dtype=np.float64)
    except (TypeError, ValueError):
        raise check.fail(estimator, name, requirement, priors) from None
    if found.shape != total.shape or (found < 0).any() or not np.isclose(found.sum(), 1.0):
        raise check.fail(estimator, name, requirement, priors)
    return found
