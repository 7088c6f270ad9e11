"""What models by principal axes share: projections, reconstructions, a density."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import check
from margin.core.types import Array, Floats, Matrix

_LOG_2PI = float(np.log(2 * np.pi))
_CHUNK = 1 << 18


class PrincipalModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    r"""A projection :math:`z = U (x - \bar x)` on orthonormal axes (decomposition.01).

    A subclass fits ``mean_``, ``components_``, ``explained_variance_`` and ``noise_variance_``.
    """

    whiten: bool
    mean_: Floats
    components_: Floats
    explained_variance_: Floats
    noise_variance_: float

    @abstractmethod
    def fit(self, X: Matrix, y: Any = None) -> Self:
        """Find the axes."""

    def transform(self, X: Matrix) -> Array:
        """Coordinates of rows on the axes, of shape (n_samples, n_components).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        """
        X = check.table(self, X, sparse=True)
        return self._projected(X)

    def _projected(self, X: Matrix) -> Array:
        if X.dtype != self.components_.dtype and X.dtype == np.float32:
            out = X @ self.components_.T.astype(np.float32)
        else:
            out = X @ self.components_.T
        out = np.asarray(out - self.mean_ @ self.components_.T)
        if self.whiten:
            out = out / self._scales()
        return np.asarray(out, dtype=X.dtype)

    def inverse_transform(self, X: Matrix) -> Array:
        r"""Rows :math:`U^\top z + \bar x` of given coordinates, nearest to those they came from.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        Z = check_array(check.structure(self, X), dtype=check.FLOATS)
        if Z.shape[1] != len(self.components_):
            need = f"of {len(self.components_)} columns, one for each component"
            raise check.fail(self, "X", need, f"{Z.shape[1]} columns")
        if self.whiten:
            Z = Z * self._scales()
        return np.asarray(Z @ self.components_ + self.mean_)

    def _scales(self) -> Floats:
        """Deviations along the axes; where there is none, the least that divides."""
        scale = np.sqrt(self.explained_variance_)
        return np.asarray(np.maximum(scale, np.finfo(scale.dtype).eps))

    def get_covariance(self) -> Floats:
        r"""Covariance :math:`U^\top (\Lambda - \sigma^2 I) U + \sigma^2 I` of the model."""
        check_is_fitted(self)
        signal = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance = np.asarray((self.components_.T * signal) @ self.components_)
        covariance[np.diag_indices_from(covariance)] += self.noise_variance_
        return covariance

    def get_precision(self) -> Floats:
        """Inverse of the covariance; directions without any variance get the least that divides."""
        check_is_fitted(self)
        inside, outside = self._variances()
        precision = np.asarray((self.components_.T * (1 / inside - 1 / outside)) @ self.components_)
        precision[np.diag_indices_from(precision)] += 1 / outside
        return precision

    def _variances(self) -> tuple[Floats, float]:
        """Variances along the axes, and that of all directions beside them."""
        inside = np.asarray(self.explained_variance_, dtype=np.float64)
        p = self.components_.shape[1]
        largest = max(float(inside.max(initial=0.0)), float(self.noise_variance_))
        least = max(p * np.finfo(float).eps * largest, float(np.finfo(float).tiny))
        outside = max(float(self.noise_variance_), least)
        if len(inside) == p:
            outside = float(max(inside.min(initial=np.inf), least)) if p else 1.0
        return np.maximum(inside, max(float(self.noise_variance_), least)), outside

    def score_samples(self, X: Matrix) -> Floats:
        """Log-density of rows under probabilistic PCA with these axes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        """
        X = check.table(self, X, sparse=True)
        axes = np.asarray(self.components_, dtype=np.float64)
        inside, outside = self._variances()
        n, p = X.shape
        constant = p * _LOG_2PI + np.log(inside).sum() + (p - len(inside)) * np.log(outside)
        density = np.empty(n)
        step = max(1, _CHUNK // max(p, 1))
        for start in range(0, n, step):
            rows = X[start : start + step]
            away = np.asarray(rows.toarray() if issparse(rows) else rows) - self.mean_
            along = away @ axes.T
            beside = away - along @ axes
            misfit = np.einsum("ij,ij->i", along / inside, along)
            misfit += np.einsum("ij,ij->i", beside, beside) / outside
            density[start : start + step] = -0.5 * (misfit + constant)
        return density

    def score(self, X: Matrix, y: Any = None) -> float:
        """Mean log-density of rows."""
        return float(self.score_samples(X).mean())

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
