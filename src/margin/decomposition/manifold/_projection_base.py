"""What random projections share: the number of directions, the product, the way back."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import DataDimensionalityWarning
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import atomic, check, random
from margin.core.types import Array
from margin.decomposition._closed_form import closed_form
from margin.decomposition.manifold._johnson_lindenstrauss import (
    distortion_bound,
    johnson_lindenstrauss_min_dim,
)


class RandomProjectionBase(TransformerMixin, ClassNamePrefixFeaturesOutMixin, BaseEstimator, ABC):
    """A linear map with random entries; the subclass draws them."""

    n_components: Any
    eps: float
    compute_inverse_components: bool
    random_state: Any
    components_: Any

    @abstractmethod
    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> Any:
        """Entries of the map, whose columns have expected squared length one."""

    @abstractmethod
    def _keep(self, drawn: Any) -> None:
        """Store the map."""

    @abstractmethod
    def _check_own(self) -> None:
        """Refuse bad parameters that the subclass adds."""

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Draw the directions; of ``X`` only the shape counts.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check.params(self, positive="eps", flag="compute_inverse_components")
        if not self.eps < 1:
            raise check.fail(self, "eps", "below 1", self.eps)
        if not (isinstance(self.n_components, str) and self.n_components == "auto"):
            _check_count(self)
        self._check_own()
        X = check.table(self, X, sparse=True, reset=True)
        self.n_components_ = self._count(*X.shape)
        drawn = self._draw((self.n_components_, X.shape[1]), random.generator(self.random_state))
        self._keep(drawn.astype(X.dtype, copy=False))
        self._n_features_out = self.n_components_
        if self.compute_inverse_components:
            self.inverse_components_ = self._inverse()
        self.distortion_bound_ = distortion_bound(X.shape[0], self.n_components_)
        told = closed_form(0.0, "random directions")
        known = self.distortion_bound_
        bound = "no bound below 1" if known is None else f"{known:.3g}"
        self.fit_report_ = check.report(self, told, (f"distortion of squared distances: {bound}",))
        return self

    def _count(self, n: int, p: int) -> int:
        """Directions to draw."""
        if self.n_components != "auto":
            if self.n_components > p:
                warnings.warn(
                    "The number of components is higher than the number of features: n_features < "
                    f"n_components ({p} < {self.n_components}). The dimensionality of the problem "
                    "will not be reduced.",
                    DataDimensionalityWarning,
                    stacklevel=4,
                )
            return int(self.n_components)
        least = int(johnson_lindenstrauss_min_dim(n, eps=self.eps))
        head = f"{type(self).__name__}: eps={self.eps:f} and n_samples={n} lead to a target "
        if least < 1:
            raise ValueError(f"{head}dimension of {least} which is invalid; give n_components")
        if least > p:
            raise ValueError(
                f"{head}dimension of {least} which is larger than the original space with "
                f"n_features={p}; give n_components or a larger eps"
            )
        return least

    def _inverse(self) -> Array:
        """Pseudo-inverse of the map."""
        dense = self.components_.toarray() if issparse(self.components_) else self.components_
        return np.asarray(np.linalg.pinv(dense))

    def transform(self, X: Any) -> Any:
        """Rows times the random directions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray or sparse matrix of shape (n_samples, n_components)
        """
        X = check.table(self, X, sparse=True)
        product = X @ self.components_.T
        dense = not issparse(self.components_) or getattr(self, "dense_output", False)
        return product.toarray() if dense and issparse(product) else product

    def inverse_transform(self, X: Any) -> Array:
        """Shortest rows that project to these.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_components)

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        X = check_array(check.structure(self, X), dtype=check.FLOATS, accept_sparse=("csr", "csc"))
        back = self.inverse_components_ if self.compute_inverse_components else self._inverse()
        return np.asarray(X @ back.T)

    def distortion(self, X: Any) -> float:
        r"""Largest relative error of a squared distance between rows of ``X`` (decomposition.17).

        .. math:: \max_{i \ne j} \left| \frac{\|R x_i - R x_j\|^2}{\|x_i - x_j\|^2} - 1 \right|

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        float
            Zero where no two rows differ.

        Notes
        -----
        All pairs, a row at a time: :math:`O(n^2 p)` time and :math:`O(n p)` memory.
        """
        X = check.table(self, X, sparse=True)
        mapped = X @ self.components_.T
        worst = 0.0
        for i in range(X.shape[0] - 1):
            before, after = _lengths(X, i), _lengths(mapped, i)
            apart = before > 0
            if apart.any():
                worst = max(worst, float(np.abs(after[apart] / before[apart] - 1.0).max()))
        return worst

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _check_count(model: RandomProjectionBase) -> None:
    k = model.n_components
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise check.fail(model, "n_components", "'auto' or an integer of at least 1", k)


def _lengths(X: Any, i: int) -> Array:
    """Squared distances of the rows after the i-th to it."""
    if issparse(X):
        return np.asarray(
            ((X[i + 1 :] - X[[i] * (X.shape[0] - i - 1)]).power(2)).sum(axis=1)
        ).ravel()
    return np.asarray(((X[i + 1 :] - X[i]) ** 2).sum(axis=1))
