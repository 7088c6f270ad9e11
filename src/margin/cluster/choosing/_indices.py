"""How good a clustering is: squared error, silhouette, information criterion."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils import check_array

from margin.core import check
from margin.core.types import Array, Floats

_BLOCK = 2**22  # entries of a block of distances


def squared_error(X: Any, labels: Any, sample_weight: Any = None) -> float:
    r"""Sum of squared distances to the means of the clusters (cluster.03).

    .. math:: J = \sum_c \sum_{i \in c} w_i \|x_i - \mu_c\|^2

    Agreement with known labels is :func:`sklearn.metrics.adjusted_rand_score`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    float

    Examples
    --------
    >>> from margin.cluster import squared_error
    >>> squared_error([[0.0], [1.0], [4.0], [6.0]], [0, 0, 1, 1])
    2.5
    """
    X = check_array(X, dtype=np.float64)
    label = _labels("squared_error", labels, len(X))
    weight = check.weights("squared_error", sample_weight, len(X))
    w = np.ones(len(X)) if weight is None else weight
    total = 0.0
    for c in np.unique(label):
        rows = label == c
        if w[rows].sum() > 0:
            mean = np.average(X[rows], axis=0, weights=w[rows])
            total += float(w[rows] @ np.square(X[rows] - mean).sum(axis=1))
    return total


def silhouette(
    X: Any, labels: Any, *, metric: Any = "euclidean", divisor: str = "others", average: bool = True
) -> Any:
    r"""Silhouette: how much closer a row is to its own cluster than to the next (cluster.05).

    .. math:: s_i = \frac{b_i - a_i}{\max(a_i, b_i)}

    with the mean distance :math:`a_i` to the own cluster and the least mean distance :math:`b_i`
    to another. The mean over the own cluster divides by its other rows, as
    :func:`sklearn.metrics.silhouette_score` does, or by all its rows, itself included.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Or a matrix of distances.
    labels : array-like of shape (n_samples,)
    metric : str or callable
        As in :func:`sklearn.metrics.pairwise_distances`, or ``"precomputed"``.
    divisor : {"others", "all"}
        Whether :math:`a_i` divides by :math:`|C| - 1` or :math:`|C|`.
    average : bool
        Whether to give the mean or the value of every row.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        0 for the only row of a cluster.

    Examples
    --------
    >>> from margin.cluster import silhouette
    >>> X, labels = [[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1]
    >>> round(silhouette(X, labels), 6), round(silhouette(X, labels, divisor="all"), 6)
    (0.899749, 0.949875)
    """
    if divisor not in ("others", "all"):
        raise check.fail("silhouette", "divisor", "'others' or 'all'", divisor)
    X = check_array(X, dtype=np.float64)
    names, label = np.unique(_labels("silhouette", labels, len(X)), return_inverse=True)
    k = len(names)
    if not 2 <= k <= len(X):
        raise check.fail("silhouette", "labels", "of at least 2 clusters", k)
    sizes = np.bincount(label, minlength=k)
    hot = (label[:, None] == np.arange(k)).astype(np.float64)
    value = np.empty(len(X))
    step = max(1, _BLOCK // len(X))
    for first in range(0, len(X), step):
        rows = np.arange(first, min(len(X), first + step))
        sums = _block(X, rows, metric) @ hot
        own, size = sums[np.arange(len(rows)), label[rows]], sizes[label[rows]]
        a = own / np.maximum(size - (divisor == "others"), 1)
        mean = sums / sizes
        mean[np.arange(len(rows)), label[rows]] = np.inf
        b = mean.min(axis=1)
        most = np.maximum(a, b)
        lone = (size == 1) & (divisor == "others")
        value[rows] = np.where(lone | (most == 0), 0.0, (b - a) / np.where(most > 0, most, 1.0))
    return float(value.mean()) if average else value


def _block(X: Floats, rows: Array, metric: Any) -> Floats:
    if isinstance(metric, str) and metric == "precomputed":
        return X[rows]
    return np.asarray(pairwise_distances(X[rows], X, metric=metric))


def information_criterion(X: Any, labels: Any) -> float:
    r"""Bayesian information criterion of spherical Gaussians around the means; lower is better.

    .. math:: -2 \ell + (k p + k) \ln n, \qquad
              \ell = \sum_c n_c \ln \tfrac{n_c}{n} - \tfrac{n p}{2} (1 + \ln 2 \pi \hat\sigma^2)

    with one variance :math:`\hat\sigma^2 = J / (n p)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)

    Returns
    -------
    float

    Examples
    --------
    >>> from margin.cluster import information_criterion
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> bool(information_criterion(X, [0, 0, 1, 1]) < information_criterion(X, [0, 0, 0, 0]))
    True
    """
    X = check_array(X, dtype=np.float64)
    n, p = X.shape
    label = _labels("information_criterion", labels, n)
    counts = np.unique(label, return_counts=True)[1]
    scale = max(float(np.var(X, axis=0).sum()) * n, np.finfo(float).tiny)
    variance = max(squared_error(X, label), 1e-12 * scale) / (n * p)
    fit = float(counts @ np.log(counts / n)) - 0.5 * n * p * (1 + np.log(2 * np.pi * variance))
    return float(-2.0 * fit + (len(counts) * p + len(counts)) * np.log(n))


def _labels(owner: str, labels: Any, n: int) -> Array:
    label = np.asarray(labels)
    if label.shape != (n,):
        raise check.fail(owner, "labels", f"one label for each of {n} samples", label.shape)
    return label
