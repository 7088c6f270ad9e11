"""One search of k-means, as a place for others to start from."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import kmeans_plusplus

from margin.core import threads
from margin.core.types import Floats
from margin.inference.centres._lloyd import Lloyd
from margin.inference.centres._rows import rows_of
from margin.native.cluster.centres import Pass

_TOL, _MAX_ITER = 1e-4, 300


def k_means(X: Floats, k: int, seed: int, weight: Floats | None = None) -> tuple[Floats, Pass]:
    """Centres of clusters, and the pass over the rows that labels them by these.

    Centres begin where scikit-learn's ``KMeans`` of the same seed begins, so that clusters and
    their order are the same.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Finite, in double precision.
    k : int
        At most ``n``.
    seed : int
    weight : ndarray of shape (n,), optional

    Returns
    -------
    centres : ndarray of shape (k, p)
    found : Pass
        Labels, weights of the clusters and the sum of squares.

    Examples
    --------
    >>> import numpy as np
    >>> centres, found = k_means(np.array([[0.0], [1.0], [10.0], [11.0]]), 2, seed=0)
    >>> np.sort(centres.ravel()), found.inertia
    (array([ 0.5, 10.5]), 1.0)
    """
    middle = X.mean(axis=0)
    centred = np.ascontiguousarray(X - middle)
    start, _ = kmeans_plusplus(centred, k, sample_weight=weight, random_state=seed)
    rows = rows_of(centred, weight, threads.count(None), packed=True)
    method = Lloyd(_TOL * float(np.mean(np.var(centred, axis=0))), _MAX_ITER)
    solution = method(rows, np.asarray(start, dtype=np.float64))
    return solution.x + middle, solution.extras["assigned"]
