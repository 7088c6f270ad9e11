"""What models with centres answer: labels, distances, score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.metrics.pairwise import euclidean_distances

from margin.core import check, threads
from margin.core.types import Array, Floats
from margin.inference import nearest_labels, pass_over
from margin.native.cluster.centres import Pass


class CentreModel(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator, ABC
):
    """Predictions from ``cluster_centers_``."""

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find the centres."""

    @property
    def _n_features_out(self) -> int:
        return int(self.cluster_centers_.shape[0])

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self.fit(X, sample_weight=sample_weight).labels_)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the distances of the rows to the centres.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
        """
        return np.asarray(self.fit(X, sample_weight=sample_weight).transform(X))

    def predict(self, X: Any) -> Array:
        """The nearest centre of every row, the first among equals.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        X = check.table(self, X, sparse=True, order="C")
        centres = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return nearest_labels(X, centres, threads.count(None))

    def transform(self, X: Any) -> Array:
        """Distances to the centres.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_clusters)
        """
        X = check.table(self, X, sparse=True, order="C")
        return distances(X, self.cluster_centers_)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the weighted sum of the squared distances to the nearest centres.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        return -self._passed(X, sample_weight).inertia

    def _passed(self, X: Any, sample_weight: Any) -> Pass:
        X = check.table(self, X, sparse=True, order="C")
        weight = check.weights(self, sample_weight, X.shape[0])
        centres = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return pass_over(X, weight, centres, threads.count(None))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def distances(X: Any, centres: Array) -> Floats:
    """Euclidean distances of rows to centres, by differences where both are dense."""
    if issparse(X):
        return np.asarray(euclidean_distances(X, centres))
    out = np.empty((len(X), len(centres)), dtype=X.dtype)
    for c, centre in enumerate(centres):
        out[:, c] = np.sqrt(np.square(X - centre).sum(axis=1))
    return out
