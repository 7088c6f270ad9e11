"""What all generative classifiers share."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import best_or_reject, confidence, random
from margin.core.types import Array, Floats, Matrix, Places


class GenerativeClassifier(ClassifierMixin, BaseEstimator, ABC):
    r"""A classifier that models :math:`p(x, y) = p(y)\, p(x \mid y)` (linear.22).

    A subclass fits ``classes_`` and ``priors_`` and gives :meth:`log_joint`, and rows of given
    classes; prediction by Bayes' rule, posterior probabilities, confidence, the choice not to
    answer and samples follow from it.
    """

    @abstractmethod
    def log_joint(self, X: Matrix) -> Floats:
        """Logarithm of :math:`p(x, y)` for every row and class, up to a constant per row."""

    @abstractmethod
    def _draw(self, code: Places, rng: np.random.Generator) -> Floats:
        """A row of each class in ``code``."""

    def _class_shares(self) -> Floats:
        """Prior probabilities, that of the classes in samples."""
        return np.asarray(self.priors_)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Floats, Array]:
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

    def predict(self, X: Matrix) -> Array:
        """Most probable class of each row."""
        joint = self.log_joint(X)
        if joint.shape[1] == 2:  # a maximum over two columns is slow to look for
            codes = (joint[:, 1] > joint[:, 0]).astype(np.intp)
        else:
            codes = joint.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def predict_log_proba(self, X: Matrix) -> Floats:
        """Logarithm of the posterior probability of every class."""
        joint = self.log_joint(X)
        joint = joint - joint.max(axis=1, keepdims=True)
        return np.asarray(joint - np.log(np.exp(joint).sum(axis=1, keepdims=True)))

    def predict_proba(self, X: Matrix) -> Floats:
        """Posterior probability of every class, in the order of ``classes_``."""
        joint = self.log_joint(X)
        joint = np.exp(joint - joint.max(axis=1, keepdims=True))
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))

    def confidence(self, X: Matrix) -> Floats:
        """Posterior of the best class minus that of the second best (linear.23)."""
        return confidence(self.predict_proba(X))

    def predict_or_reject(self, X: Matrix, *, threshold: float = 0.9, reject: Any = None) -> Array:
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
        return best_or_reject(self, self.predict_proba(X), self.classes_, threshold, reject)
