"""Merges of rows from below: by linkage, by quality, along a graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from margin.cluster.hierarchy._tree import MergeTree
from margin.core import check
from margin.core.types import Floats, Indices
from margin.native.cluster.linkage import agglomerate, agglomerate_rows, numbered, pair_distances

SQUARED = ("centroid", "median", "ward")
LINKAGES = ("ward", "complete", "average", "single", "weighted", "centroid", "median")

MEANS_UP_TO = 64
"""Features up to which Ward's merges are found from the means of clusters alone."""

_LEAST, _MOST = 1e-130, 1e130  # of entries that are squared as they are

Quality = Callable[[Any, Indices, Indices], float]


def merged(D: Floats, linkage: str, *, own: bool = False) -> MergeTree:
    r"""The tree of all merges of a matrix of distances (cluster.08).

    Of all pairs of clusters the closest is merged, where :math:`d(A, B)` is the least (single),
    the largest (complete) or the mean (average) distance of their rows, the distance of their means
    (centroid), or the square root of twice the rise of the sum of squared errors (ward).

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Euclidean distances for ward, centroid and median.
    linkage : str
    own : bool
        Whether the matrix may be used up; else it is left as it is.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([0.0, 1.0, 4.0, 6.0])
    >>> D = abs(X[:, None] - X)
    >>> names = "single", "complete", "average", "centroid"
    >>> [float(merged(D, name).height[-1]) for name in names]
    [3.0, 6.0, 4.5, 4.5]
    """
    if linkage in SQUARED:
        return _tree(_squares(D, own), linkage)
    return _tree(D if own else D.copy(), linkage)


def merged_rows(X: Floats, linkage: str, n_threads: int) -> MergeTree:
    """The same from the Euclidean distances of a table, of any scale.

    Examples
    --------
    >>> import numpy as np
    >>> merged_rows(np.array([[1e200], [-1e200], [3e200]]), "ward", 1).children
    array([[0, 1],
           [2, 3]])
    """
    largest = float(np.abs(X).max(initial=0.0))
    usual = largest == 0.0 or _LEAST < largest < _MOST
    # A power of two changes no digit, and keeps squares within what numbers can hold.
    scale = 1.0 if usual else 2.0 ** np.clip(np.floor(np.log2(largest)), -1000, 1000)
    rows = X if usual else X / scale
    if linkage in ("centroid", "median"):
        tree = _tree(pair_distances(rows, squared=True, n_threads=n_threads), linkage)
    else:
        by_means = linkage == "ward" and X.shape[1] <= MEANS_UP_TO
        merges = agglomerate_rows(rows, linkage, by_means=by_means, n_threads=n_threads)
        tree = _rooted(len(X), merges, linkage)
    with np.errstate(over="ignore"):  # the caller looks at the heights
        return tree if usual else replace(tree, height=tree.height * scale)


def _tree(matrix: Floats, linkage: str) -> MergeTree:
    """Merges of a matrix that is used up, of squared distances where the linkage wants them."""
    return _rooted(len(matrix), agglomerate(matrix, linkage), linkage)


def _rooted(n: int, merges: tuple[Indices, Floats, Indices], linkage: str) -> MergeTree:
    children, height, count = merges
    if linkage in SQUARED:
        height = np.sqrt(np.maximum(height, 0.0))
    return MergeTree(n, children, height, count)


def bytes_needed(n: int, p: int, linkage: str, *, rows: bool) -> int:
    """Largest memory of the merges of a table with its own Euclidean distances, or of a matrix."""
    if rows and (linkage == "single" or (linkage == "ward" and p <= MEANS_UP_TO)):
        return 8 * n * (p + 8)
    return (1 if rows and linkage not in ("centroid", "median") else 3) * 8 * n * n


def _squares(D: Floats, own: bool) -> Floats:
    return np.square(D, out=D if own else None)


def stepwise(X: Any, quality: Quality) -> MergeTree:
    """Merges that are best by a quality of one's own: stepwise-optimal (cluster.10).

    Parameters
    ----------
    X : ndarray of shape (n, p)
    quality : callable
        ``quality(X, rows, others)``, the price of merging two sets of rows; the least is paid.

    Notes
    -----
    :math:`O(n^2)` calls.
    """
    n = len(X)
    members: dict[int, Indices] = {i: np.array([i]) for i in range(n)}
    price = {
        (i, j): float(quality(X, members[i], members[j])) for i in range(n) for j in range(i + 1, n)
    }
    children, height, count = [], [], []
    for parent in range(n, 2 * n - 1):
        pair = min(price, key=lambda key: (price[key], key))
        height.append(price[pair])
        union = np.sort(np.concatenate([members.pop(pair[0]), members.pop(pair[1])]))
        price = {key: v for key, v in price.items() if not set(key) & set(pair)}
        price |= {(i, parent): float(quality(X, rows, union)) for i, rows in members.items()}
        members[parent] = union
        children.append(pair)
        count.append(len(union))
    return MergeTree(
        n,
        np.array(children, dtype=np.int64).reshape(-1, 2),
        np.array(height),
        np.array(count, dtype=np.int64),
    )


def squared_error_rise(X: Any, rows: Indices, others: Indices) -> float:
    r"""Rise of the sum of squared errors by a merge (cluster.10).

    :math:`\frac{n_i n_j}{n_i + n_j} \|\mu_i - \mu_j\|^2`: with it stepwise-optimal merges are
    those of Ward.

    Examples
    --------
    >>> import numpy as np
    >>> squared_error_rise(np.array([[0.0], [1.0], [4.0], [6.0]]), [0, 1], [2, 3])
    20.25
    """
    a, b = X[rows], X[others]
    share = len(a) * len(b) / (len(a) + len(b))
    return float(share * np.square(a.mean(axis=0) - b.mean(axis=0)).sum())


def connected(owner: Any, connectivity: Any, D: Floats) -> tuple[Any, int]:
    """A symmetric graph in one piece, and in how many it was."""
    n = len(D)
    graph = (
        csr_array(connectivity) if issparse(connectivity) else csr_array(np.asarray(connectivity))
    )
    if graph.shape != (n, n):
        raise check.fail(owner, "connectivity", f"of shape {(n, n)}", graph.shape)
    graph = csr_array(graph + graph.T)
    pieces, label = connected_components(graph, directed=False)
    if pieces == 1:
        return graph, 1
    warnings.warn(
        f"{check.named(owner)}: the number of connected components of the connectivity matrix is "
        f"{pieces} > 1. Completing it to avoid stopping the tree early.",
        stacklevel=4,
    )
    extra = []
    for a in range(pieces):
        for b in range(a):
            rows, others = np.flatnonzero(label == a), np.flatnonzero(label == b)
            at = np.unravel_index(D[np.ix_(rows, others)].argmin(), (len(rows), len(others)))
            extra.append((rows[at[0]], others[at[1]]))
    i, j = np.array(extra).T
    more = csr_array((np.ones(len(i)), (i, j)), shape=(n, n))
    return csr_array(graph + more + more.T), pieces


def merged_along(X: Any, D: Floats, graph: Any, linkage: str, n_clusters: int) -> MergeTree:
    """Merges of neighbours in a graph only, until so many clusters are left.

    A cluster is next to all that its parts were next to; a distance that only one part has is
    that of the union.
    """
    n = len(D)
    rows, columns = graph.nonzero()
    near: list[dict[int, float]] = [{} for _ in range(n)]
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        if i != j:
            near[i][j] = float(D[i, j])
    mass = [1] * n
    means: list[Any] = [X[i].astype(np.float64) for i in range(n)] if linkage == "ward" else []
    heap = [(d, i, j) for i in range(n) for j, d in near[i].items() if j < i]
    heapify(heap)
    alive: list[bool] = [True] * n
    pair: list[tuple[int, int]] = []
    height: list[float] = []
    first = list(range(n))
    while len(pair) < n - n_clusters:
        d, i, j = heappop(heap)
        if not (alive[i] and alive[j]):
            continue
        parent = n + len(pair)
        pair.append((first[i], first[j]))
        height.append(d)
        union = _joined(near[i], near[j], mass[i], mass[j], linkage, (i, j))
        alive[i] = alive[j] = False
        mass.append(mass[i] + mass[j])
        if linkage == "ward":
            means.append((mass[i] * means[i] + mass[j] * means[j]) / mass[parent])
            others = [c for c in union if alive[c]]
            union = _ward(means, mass, parent, others)
        near.append({})
        alive.append(True)
        first.append(min(first[i], first[j]))
        for c, away in union.items():
            if alive[c]:
                near[parent][c] = near[c][parent] = away
                heappush(heap, (away, parent, c))
    children, count = _numbered(np.array(pair, dtype=np.int64).reshape(-1, 2), n)
    return MergeTree(n, children, np.array(height), count)


def _joined(
    a: dict[int, float], b: dict[int, float], na: int, nb: int, linkage: str, own: tuple[int, int]
) -> dict[int, float]:
    union = {}
    for c in a.keys() | b.keys():
        if c in own:
            continue
        if c in a and c in b:
            if linkage == "average":
                union[c] = (na * a[c] + nb * b[c]) / (na + nb)
            else:
                union[c] = min(a[c], b[c]) if linkage == "single" else max(a[c], b[c])
        else:
            union[c] = a[c] if c in a else b[c]
    return union


def _ward(means: list[Any], mass: list[int], parent: int, others: list[int]) -> dict[int, float]:
    if not others:
        return {}
    away = cdist(means[parent][None], np.stack([means[c] for c in others]), "sqeuclidean")[0]
    m = np.array([mass[c] for c in others])
    height = np.sqrt(2.0 * mass[parent] * m / (mass[parent] + m) * away)
    return dict(zip(others, height.tolist(), strict=True))


def _numbered(pair: Indices, n: int) -> tuple[Indices, Indices]:
    """Numbers of merged clusters, also of merges that end early."""
    if len(pair) == n - 1:
        return numbered(pair)
    at, size = list(range(n)), np.ones(n + len(pair), dtype=np.int64)
    children = np.empty_like(pair)
    for s, (i, j) in enumerate(pair.tolist()):
        children[s] = sorted((at[i], at[j]))
        size[n + s] = size[children[s]].sum()
        at[min(i, j)] = n + s
    return children, size[n:]
