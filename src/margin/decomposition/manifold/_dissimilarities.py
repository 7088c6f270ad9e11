"""Distances between rows, computed or given."""

import warnings
from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances

from margin.core import check
from margin.core.types import Floats


def dissimilarities(
    model: object, X: Any, metric: Any, params: dict[str, Any] | None, others: Any = None
) -> Floats:
    """Distances of rows to each other or to ``others``; those given are checked.

    Given distances may be NaN, which means unknown; they must be symmetric, not negative and zero
    on the diagonal.

    Examples
    --------
    >>> dissimilarities("MDS", np.array([[0.0], [3.0]]), "euclidean", None)
    array([[0., 3.],
           [3., 0.]])
    """
    if not (isinstance(metric, str) and metric == "precomputed"):
        if others is None and X.shape[0] == X.shape[1]:
            warnings.warn(
                "The provided input is a square matrix. Note that ``fit`` constructs a "
                "dissimilarity matrix from data and will treat rows as samples and columns as "
                "features. To use a pre-computed dissimilarity matrix, set "
                "``metric='precomputed'``.",
                stacklevel=4,
            )
        D = pairwise_distances(X, others, metric=metric, **(params or {}))
        return np.asarray(D, dtype=np.float64)
    D = np.asarray(X, dtype=np.float64)
    if np.nanmin(D, initial=0.0) < 0:
        raise check.fail(model, "X", "at least 0 everywhere, as distances are", float(np.nanmin(D)))
    if others is not None:
        return D
    if D.shape[0] != D.shape[1]:
        told = f"shape {D.shape}: array must be 2-dimensional and square"
        raise check.fail(model, "X", "a square matrix of distances", told)
    largest = float(np.nanmax(np.abs(D), initial=0.0))
    if not np.allclose(D, D.T, rtol=1e-8, atol=1e-10 * largest, equal_nan=True):
        raise check.fail(model, "X", "a symmetric matrix of distances", "Array must be symmetric")
    return D


def check_metric(model: Any) -> None:
    """Refuse a metric that is neither a name nor a function, and parameters that are no dict."""
    if not isinstance(model.metric, str | bool) and not callable(model.metric):
        raise check.fail(model, "metric", "a name or a callable", model.metric)
    if model.metric_params is not None and not isinstance(model.metric_params, dict):
        raise check.fail(model, "metric_params", "None or a dict", model.metric_params)
