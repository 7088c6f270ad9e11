"""What support vector regressions with kernels share: the outline of a fit, and the answers."""

from abc import abstractmethod
from typing import Any, Self

from sklearn.base import RegressorMixin

from margin.core import atomic
from margin.core.types import Array
from margin.svm.kernel._single_duals import Single, SingleDual
from margin.svm.kernel._single_machine import SingleDualMachine


class KernelRegressor(RegressorMixin, SingleDualMachine):
    """A support vector regression: one machine with a tube around it."""

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the machine.

        Parameters
        ----------
        X, y, sample_weight : array-like
            As for :class:`SVC`, with numbers for ``y``.

        Returns
        -------
        self
        """
        self._check_dual()
        self._keep_tube(self._fit(X, y, sample_weight, "numeric", self._dual()))
        return self

    @abstractmethod
    def _dual(self) -> SingleDual:
        """What the machine minimises; a bad price, width or share is refused."""

    def _keep_tube(self, single: Single) -> None:
        """Store what is known of the tube only after the fit."""

    def predict(self, X: Any) -> Array:
        """Predicted number of every row.

        Parameters
        ----------
        X : array-like, sparse matrix or list of objects
            For a precomputed kernel the values with all training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._values(X)
