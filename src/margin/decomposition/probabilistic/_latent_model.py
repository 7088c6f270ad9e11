"""What estimators of latent normal variables share."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import check, random
from margin.core.types import Array, Floats, Matrix
from margin.decomposition.probabilistic._latent_normal import LatentNormal


class LatentModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    r"""A model :math:`x = \mu + W z + \epsilon` with normal :math:`z` and :math:`\epsilon`.

    A subclass fits the law of rows; densities, posteriors, fillings and samples follow from it.
    NaN is unobserved and integrated out everywhere.
    """

    _law: LatentNormal

    @abstractmethod
    def fit(self, X: Matrix, y: Any = None) -> Self:
        """Fit the law of rows."""

    def _rows(self, X: Matrix) -> Array:
        return np.asarray(check.table(self, X, missing=True), dtype=np.float64)

    def transform(self, X: Matrix) -> Array:
        """Posterior means of the latent variables, of shape (n_samples, n_components).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        """
        rows = self._rows(X)
        return self._turned(self._law.posterior_mean(rows))

    def posterior(self, X: Matrix) -> tuple[Floats, Floats]:
        """Posterior of the latent variables, given what is observed of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.

        Returns
        -------
        mean : ndarray of shape (n_samples, n_components)
        covariance : ndarray of shape (n_samples, n_components, n_components)
        """
        rows = self._rows(X)
        latent = self._law.posterior(rows)
        turn = self._turned(np.eye(latent.mean.shape[1]))
        k = turn.shape[1]
        covariance = np.broadcast_to(turn.T @ latent.covariance @ turn, (len(rows), k, k))
        return self._turned(latent.mean), np.array(covariance)

    def _turned(self, latent: Floats) -> Floats:
        """Latent variables in the coordinates that the model shows."""
        return latent

    def inverse_transform(self, X: Matrix) -> Floats:
        r"""Expected rows :math:`\mu + W z` of given latent variables.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        Z = check_array(check.structure(self, X), dtype=np.float64)
        components = np.asarray(self.components_)
        if Z.shape[1] != len(components):
            need = f"of {len(components)} columns, one for each component"
            raise check.fail(self, "X", need, f"{Z.shape[1]} columns")
        return np.asarray(Z @ components + self._law.mean)

    def impute(self, X: Matrix) -> Floats:
        """Rows whose gaps are filled by their expectation, given what is observed of each.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is what will be filled.
        """
        rows = self._rows(X)
        return self._law.completed(rows)

    def score_samples(self, X: Matrix) -> Floats:
        """Log-density of what is observed of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN is unobserved.
        """
        rows = self._rows(X)
        return self._law.posterior(rows).log_prob

    def score(self, X: Matrix, y: Any = None) -> float:
        """Mean log-density of rows."""
        return float(self.score_samples(X).mean())

    def get_covariance(self) -> Floats:
        r"""Covariance :math:`W W^\top + \Psi` of rows."""
        check_is_fitted(self)
        return self._law.covariance()

    def get_precision(self) -> Floats:
        """Its inverse."""
        check_is_fitted(self)
        return self._law.precision()

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Floats:
        """Rows drawn from the fitted model.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : None, int, Generator or RandomState

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        if not isinstance(n_samples, int | np.integer) or n_samples < 1:
            raise check.fail(self, "n_samples", "an integer of at least 1", n_samples)
        return self._law.sample(int(n_samples), random.generator(random_state))

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
