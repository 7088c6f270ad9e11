"""What support vector regressions with kernels share: the outline of a fit, and the answers."""

from abc import abstractmethod

from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import atomic
from margin.svm.kernel._classifier_answers import linear_weights, set_kernel_tags
from margin.svm.kernel._single_fit import check_bound, fit_single, single_values


class KernelRegressor(RegressorMixin, BaseEstimator):
    """A support vector regression: one machine with a tube around it."""

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the machine.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`, with numbers for ``y``.

        Returns
        -------
        self
        """
        self._check_tube()
        check_bound(self)
        return fit_single(self, X, y, sample_weight, self._train)

    @abstractmethod
    def _check_tube(self):
        """Refuse a bad width of the tube, or share of the rows outside."""

    @abstractmethod
    def _train(self, gram, y, bound, n_threads, tick):
        """The machine, and the margin of every row: 1 on the border and less outside."""

    @property
    def coef_(self):
        """Weights of the features for the linear kernel."""
        return linear_weights(self)

    def predict(self, X):
        """Predicted number of every row.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For a precomputed kernel the values with all training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return single_values(self, X)

    def __sklearn_tags__(self):
        return set_kernel_tags(self, super().__sklearn_tags__())
