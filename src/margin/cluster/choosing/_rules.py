"""Rules for the number of clusters: elbow, gap, stability."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import check_array

from margin.cluster.choosing._indices import squared_error
from margin.cluster.choosing._numbered import labels_of, numbered
from margin.core import check, random
from margin.core.types import Array, Floats


def elbow(k: Any, error: Any, *, by: str = "distance") -> int:
    r"""The number of clusters where a falling curve bends most (cluster.04).

    Both axes are stretched to the unit interval. By distance: the point farthest below the line
    from the first to the last point. By angle: the point with the sharpest angle between its two
    neighbours.

    Parameters
    ----------
    k : array-like of int
        Numbers of clusters, rising.
    error : array-like of float
        What falls with them, such as ``inertia_``.
    by : {"distance", "angle"}

    Returns
    -------
    int

    Examples
    --------
    >>> from margin.cluster import elbow
    >>> elbow([1, 2, 3, 4, 5], [100.0, 40.0, 10.0, 8.0, 7.0])
    3
    >>> elbow([1, 2, 3, 4, 5], [100.0, 40.0, 10.0, 8.0, 7.0], by="angle")
    3
    """
    if by not in ("distance", "angle"):
        raise check.fail("elbow", "by", "'distance' or 'angle'", by)
    x, y = np.asarray(k, dtype=np.float64), np.asarray(error, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or len(x) < 3 or not (np.diff(x) > 0).all():
        raise check.fail("elbow", "k", "at least 3 rising numbers, an error for each", k)
    span = y.max() - y.min()
    u = (x - x[0]) / (x[-1] - x[0])
    v = (y - y.min()) / span if span > 0 else np.zeros_like(y)
    if by == "distance":
        below = v[0] + (v[-1] - v[0]) * u - v
        return int(x[below.argmax()])
    left = np.column_stack([u[:-2] - u[1:-1], v[:-2] - v[1:-1]])
    right = np.column_stack([u[2:] - u[1:-1], v[2:] - v[1:-1]])
    cosine = (left * right).sum(axis=1) / (
        np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    )
    # Only where the curve bends upwards is it an elbow.
    bends = v[:-2] - v[1:-1] > (v[1:-1] - v[2:]) * (u[1:-1] - u[:-2]) / (u[2:] - u[1:-1])
    return int(x[1 + np.where(bends, cosine, -2.0).argmax()])


class Gap(NamedTuple):
    """Gaps and their standard errors, one per number of clusters, and the number chosen."""

    k: int
    gap: Floats
    error: Floats


def gap_statistic(
    X: Any, estimator: Any, k: Any, *, n_references: int = 10, random_state: Any = 0
) -> Gap:
    r"""How much lower the error is than that of rows without clusters (cluster.06).

    .. math:: \mathrm{gap}(k) = \mathrm{E}^* \ln J_k^* - \ln J_k

    where :math:`J^*` is the error on rows drawn evenly from the box around the data. The least
    :math:`k` is chosen with :math:`\mathrm{gap}(k) \ge \mathrm{gap}(k') - s_{k'}` for the next
    :math:`k'`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    estimator : clusterer with ``n_clusters``, or mixture with ``n_components``
    k : array-like of int
    n_references : int
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Gap

    References
    ----------
    R. Tibshirani, G. Walther, T. Hastie, Estimating the number of clusters in a data set via the
    gap statistic, J. R. Statist. Soc. B 63 (2001).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.cluster import KMeans, gap_statistic
    >>> X = np.random.default_rng(0).normal(size=(60, 1)) + np.repeat([0, 30], 30)[:, None]
    >>> gap_statistic(X, KMeans(n_init=3, random_state=0), [1, 2, 3]).k
    2
    """
    X = check_array(X, dtype=np.float64)
    numbers = counted("gap_statistic", k, len(X))
    rng = random.generator(random_state)
    low, high = X.min(axis=0), X.max(axis=0)
    own = np.array([_log_error(X, estimator, n) for n in numbers])
    drawn = [rng.uniform(low, high, size=X.shape) for _ in range(n_references)]
    reference = np.array([[_log_error(Y, estimator, n) for n in numbers] for Y in drawn])
    gap = reference.mean(axis=0) - own
    error = reference.std(axis=0) * np.sqrt(1 + 1 / n_references)
    enough = [i for i in range(len(numbers) - 1) if gap[i] >= gap[i + 1] - error[i + 1]]
    return Gap(numbers[enough[0] if enough else int(gap.argmax())], gap, error)


def _log_error(X: Floats, estimator: Any, k: int) -> float:
    error = squared_error(X, labels_of(numbered("gap_statistic", estimator, k).fit(X), X))
    return float(np.log(max(error, np.finfo(float).tiny)))


def stability(
    X: Any,
    estimator: Any,
    k: int,
    *,
    n_pairs: int = 10,
    fraction: float = 0.8,
    random_state: Any = 0,
) -> float:
    """Mean agreement (ARI) of clusterings of two overlapping samples on the rows they share.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    estimator : clusterer with ``n_clusters``, or mixture with ``n_components``
    k : int
    n_pairs : int
    fraction : float
        Share of the rows that a sample takes.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    float
        1 when the clusters are always the same.

    References
    ----------
    A. Ben-Hur, A. Elisseeff, I. Guyon, A stability based method for discovering structure in
    clustered data, PSB (2002).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.cluster import KMeans, stability
    >>> X = np.random.default_rng(0).normal(size=(60, 1)) + np.repeat([0, 30], 30)[:, None]
    >>> stability(X, KMeans(random_state=0), 2)
    1.0
    """
    X = check_array(X, dtype=np.float64)
    if not 0 < fraction <= 1:
        raise check.fail("stability", "fraction", "above 0 and at most 1", fraction)
    rng = random.generator(random_state)
    size = max(int(np.ceil(fraction * len(X))), k)
    scores = []
    for _ in range(n_pairs):
        one, other = (np.sort(rng.choice(len(X), size, replace=False)) for _ in range(2))
        shared, at, place = np.intersect1d(one, other, return_indices=True)
        if len(shared) > 1:
            first, second = (_labelled(X[rows], estimator, k) for rows in (one, other))
            scores.append(float(adjusted_rand_score(first[at], second[place])))
    return float(np.mean(scores)) if scores else 0.0


def _labelled(X: Floats, estimator: Any, k: int) -> Array:
    return labels_of(numbered("stability", estimator, k).fit(X), X)


def counted(owner: str, k: Any, n: int) -> list[int]:
    """Numbers of clusters, rising, none above the number of rows."""
    numbers = [int(v) for v in np.atleast_1d(np.asarray(k))]
    rising = all(a < b for a, b in pairwise(numbers))
    if not numbers or not rising or numbers[0] < 1 or numbers[-1] > n:
        raise check.fail(owner, "k", f"rising integers from 1 to {n}", k)
    return numbers
