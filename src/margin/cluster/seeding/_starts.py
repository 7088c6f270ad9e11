"""Starting centres, as rows of the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array

from margin.cluster.seeding._candidates import Candidates, TableCandidates, dense
from margin.core import check, random, threads
from margin.core.types import Array, Floats, Indices

NAMES = ("k-means++", "random", "first", "partition", "farthest")


def kmeans_plusplus(
    X: Any,
    n_clusters: int,
    *,
    sample_weight: Any = None,
    x_squared_norms: Any = None,
    random_state: Any = None,
    n_local_trials: int | None = None,
) -> tuple[Array, Indices]:
    r"""Rows far apart, drawn one after the other (cluster.02).

    The first is drawn by weight, each further one with a probability proportional to
    :math:`w_i \min_c \|x_i - c\|^2`; of several such draws the one is kept that lowers the sum of
    those squares most. The expected sum is within :math:`8 (\ln k + 2)` of the least possible.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
    n_clusters : int
    sample_weight : array-like of shape (n_samples,), optional
    x_squared_norms : array-like of shape (n_samples,), optional
        Without effect: distances are computed from differences.
    random_state : int, Generator, RandomState or None
    n_local_trials : int, optional
        Draws per centre; :math:`2 + \lfloor \ln k \rfloor` by default.

    Returns
    -------
    centers : ndarray of shape (n_clusters, n_features)
    indices : ndarray of shape (n_clusters,)
        Their rows.

    References
    ----------
    D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA (2007).

    Examples
    --------
    >>> from margin.cluster import kmeans_plusplus
    >>> centers, rows = kmeans_plusplus([[0.0], [0.1], [9.0]], 2, random_state=0)
    >>> bool(abs(centers[0, 0] - centers[1, 0]) > 8)
    True
    """
    X = check.structure("kmeans_plusplus", X)
    X = check_array(X, accept_sparse="csr", dtype=check.FLOATS, order="C")
    if x_squared_norms is not None and np.shape(x_squared_norms) != (X.shape[0],):
        raise ValueError(
            f"kmeans_plusplus: The length of x_squared_norms {len(x_squared_norms)} should be "
            f"equal to the length of n_samples {X.shape[0]}."
        )
    too_few("kmeans_plusplus", X.shape[0], n_clusters)
    weight = check.weights("kmeans_plusplus", sample_weight, X.shape[0])
    rng = random.generator(random_state)
    table = TableCandidates(X, threads.count(None))
    rows = plus_plus(table, n_clusters, weight, rng, n_local_trials)
    return dense(X[rows]), rows


def starts(
    owner: object,
    X: Any,
    k: int,
    init: Any,
    weight: Floats | None,
    rng: np.random.Generator,
    n_threads: int = 1,
) -> Floats:
    """Centres to start from, by name, by function or as given.

    ``"first"`` are the first rows, ``"random"`` rows drawn by weight, ``"partition"`` the means of
    a random partition, ``"farthest"`` rows each farthest from those before (cluster.02). ``X`` is
    a table, or :class:`Candidates` of one that is not in memory.
    """
    if isinstance(init, str):
        table = X if isinstance(X, Candidates) else TableCandidates(X, n_threads)
        if init == "partition":
            return _partition(table, k, weight, rng)
        return table.rows(_rows(table, k, init, weight, rng))
    if callable(init):
        seed = np.random.RandomState(rng.integers(2**31))  # what such functions expect
        given = init(X.X if isinstance(X, TableCandidates) else X, k, random_state=seed)
    else:
        given = init
    return _given(owner, given, k, X.shape[1])


def check_init(owner: object, init: Any) -> None:
    """Refuse what is neither a name, a function nor an array of numbers."""
    if isinstance(init, str):
        if init not in NAMES:
            raise _bad(owner, init)
        return
    if callable(init):
        return
    try:
        np.asarray(init, dtype=np.float64)
    except (TypeError, ValueError):
        raise _bad(owner, init) from None


def _bad(owner: object, init: Any) -> ValueError:
    choices = ", ".join(map(repr, NAMES))
    return check.fail(owner, "init", f"one of {choices}, a callable or an array", init)


def too_few(owner: object, n: int, k: int) -> None:
    """Refuse more clusters than rows."""
    if n < k:
        raise ValueError(
            f"{check.named(owner)}: n_clusters must be at most the number of samples, got {k} "
            f"clusters for {n} samples: n_samples={n} should be >= n_clusters={k}."
        )


def _given(owner: object, given: Any, k: int, p: int) -> Floats:
    centres = np.array(given, dtype=np.float64, order="C", ndmin=2)
    name = check.named(owner)
    if centres.shape[0] != k:
        raise ValueError(
            f"{name}: The shape of the initial centers {centres.shape} does not match the number "
            f"of clusters {k}."
        )
    if centres.shape[1] != p:
        raise ValueError(
            f"{name}: The shape of the initial centers {centres.shape} does not match the number "
            f"of features of the data {p}."
        )
    if not np.isfinite(centres).all():
        raise check.fail(owner, "init", "finite everywhere", "NaN or infinity")
    return centres


def _rows(
    table: Candidates, k: int, init: str, weight: Floats | None, rng: np.random.Generator
) -> Indices:
    if init == "first":
        return np.arange(k)
    if init == "random":
        return _drawn(table, k, weight, rng)
    if init == "farthest":
        return _farthest(table, k, weight, rng)
    return plus_plus(table, k, weight, rng)


def _drawn(table: Candidates, k: int, weight: Floats | None, rng: np.random.Generator) -> Indices:
    """Rows drawn by weight, each different from those before as long as there is one."""
    n = table.shape[0]
    mass = np.ones(n) if weight is None else weight
    least = np.empty(0)
    rows: list[int] = []
    for draw in rng.random(k):
        left = np.where(least > 0, mass, 0.0) if rows else mass
        if not left.any():
            left = np.ones(n)
            left[rows] = 0.0
        rows.append(_pick(left, np.array([draw]))[0])
        if len(rows) < k:
            least = table.nearer(least if len(least) else np.full(n, np.inf), rows[-1:])[0]
    return np.array(rows, dtype=np.int64)


def _partition(
    table: Candidates, k: int, weight: Floats | None, rng: np.random.Generator
) -> Floats:
    """Means of the parts of a random partition, none of which is empty."""
    n = table.shape[0]
    label = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    label = label[rng.permutation(n)]
    w = np.ones(n) if weight is None else np.maximum(weight, 1e-300)
    mass = np.bincount(label, weights=w, minlength=k)
    return np.asarray(table.sums(label, w, k) / mass[:, None], dtype=np.float64)


def _farthest(
    table: Candidates, k: int, weight: Floats | None, rng: np.random.Generator
) -> Indices:
    n = table.shape[0]
    counts = np.ones(n, bool) if weight is None else weight > 0
    rows = [_pick(counts.astype(float), rng.random(1))[0]]
    least = table.nearer(np.full(n, np.inf), rows)[0]
    while len(rows) < k:
        rows.append(int(np.where(counts, least, -1.0).argmax()))
        least = table.nearer(least, rows[-1:])[0]
    return np.array(rows, dtype=np.int64)


def plus_plus(
    table: Candidates,
    k: int,
    weight: Floats | None,
    rng: np.random.Generator,
    n_local_trials: int | None = None,
) -> Indices:
    """Rows of k-means++; see :func:`kmeans_plusplus`."""
    trials = 2 + int(np.log(k)) if n_local_trials is None else n_local_trials
    n = table.shape[0]
    w = np.ones(n) if weight is None else weight
    rows = [_pick(w, rng.random(1))[0]]
    least = table.nearer(np.full(n, np.inf), rows)[0]
    while len(rows) < k:
        tried = list(dict.fromkeys(_pick(w * least, rng.random(trials))))
        options = table.nearer(least, tried)
        best = int(np.argmin([float(w @ option) for option in options]))
        rows.append(tried[best])
        least = options[best]
    return np.array(rows, dtype=np.int64)


def _pick(mass: Floats, draws: Floats) -> list[int]:
    """Rows drawn with probabilities proportional to their mass; the first where there is none."""
    total = np.cumsum(mass)
    if not total[-1] > 0:
        total = np.cumsum(np.ones(len(mass)))
    chosen = np.searchsorted(total, draws * total[-1], side="right")
    return [int(row) for row in np.minimum(chosen, len(mass) - 1)]
