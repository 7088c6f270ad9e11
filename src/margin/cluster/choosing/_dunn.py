"""Dunn's index: the narrowest gap over the widest cluster."""

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils import check_array

from margin.core import check

_BLOCK = 2**22  # entries of a block of distances


def dunn_index(X: Any, labels: Any, *, metric: Any = "euclidean") -> float:
    r"""Least distance between clusters over the largest diameter of one (cluster.05).

    .. math:: \frac{\min_{c \ne d} \min_{i \in c, j \in d} d(x_i, x_j)}
              {\max_c \max_{i, j \in c} d(x_i, x_j)}

    The larger, the better. Davies and Bouldin's index and that of Caliński and Harabasz are
    :func:`sklearn.metrics.davies_bouldin_score` and
    :func:`sklearn.metrics.calinski_harabasz_score`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Or a matrix of distances.
    labels : array-like of shape (n_samples,)
    metric : str or callable
        As in :func:`sklearn.metrics.pairwise_distances`, or ``"precomputed"``.

    Returns
    -------
    float
        Infinite where all rows of every cluster are equal.

    Notes
    -----
    All :math:`n^2` distances, a block of rows at a time.

    References
    ----------
    J. C. Dunn, Well-separated clusters and optimal fuzzy partitions, Journal of Cybernetics 4
    (1974).

    Examples
    --------
    >>> from margin.cluster import dunn_index
    >>> dunn_index([[0.0], [1.0], [10.0], [12.0]], [0, 0, 1, 1])
    4.5
    """
    X = check_array(X, dtype=np.float64)
    label = np.asarray(labels)
    if label.shape != (len(X),):
        raise check.fail(
            "dunn_index", "labels", f"one label for each of {len(X)} samples", label.shape
        )
    if len(np.unique(label)) < 2:
        raise check.fail("dunn_index", "labels", "of at least 2 clusters", 1)
    apart, wide = np.inf, 0.0
    step = max(1, _BLOCK // len(X))
    for first in range(0, len(X), step):
        rows = slice(first, first + step)
        given = isinstance(metric, str) and metric == "precomputed"
        D = X[rows] if given else pairwise_distances(X[rows], X, metric=metric)
        same = label[rows, None] == label
        apart = min(apart, float(np.min(D, initial=np.inf, where=~same)))
        wide = max(wide, float(np.max(D, initial=0.0, where=same)))
    return apart / wide if wide > 0 else float(np.inf)
