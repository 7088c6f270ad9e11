"""Clusters: k-means from given centres to rest, and trees of merges."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class Rows:
    """A table, and the centres that all contestants start from."""

    X: np.ndarray
    start: np.ndarray


def rows(n: int, p: int, k: int) -> Rows:
    rng = np.random.default_rng(0)
    middle = 2.0 * rng.standard_normal((k, p))
    X = middle[rng.integers(k, size=n)] + rng.standard_normal((n, p))
    return Rows(X, X[rng.choice(n, size=k, replace=False)].copy())


def _settings(data: Rows) -> dict[str, Any]:
    return {"n_clusters": len(data.start), "init": data.start, "n_init": 1, "max_iter": 300}


def _ours(data: Rows) -> Any:
    from margin.cluster import KMeans

    return KMeans(**_settings(data)).fit(data.X)


def _sklearn(data: Rows, algorithm: str = "lloyd") -> Any:
    from sklearn.cluster import KMeans

    return KMeans(**_settings(data), algorithm=algorithm).fit(data.X)


def _elkan(data: Rows) -> Any:
    return _sklearn(data, "elkan")


def _intelex(data: Rows) -> Any:
    from sklearnex.cluster import KMeans

    return KMeans(**_settings(data)).fit(data.X)


def _error(data: Rows, model: Any) -> float:
    """Sum of squared errors of the centres given, over that of a single centre."""
    centres = np.asarray(model.cluster_centers_, dtype=np.float64)
    total = 0.0
    for first in range(0, len(data.X), 4096):
        x = data.X[first : first + 4096]
        D = (x**2).sum(axis=1)[:, None] - 2.0 * x @ centres.T + (centres**2).sum(axis=1)
        total += float(D.min(axis=1).sum())
    return total / float(np.square(data.X - data.X.mean(axis=0)).sum())


def points(n: int, p: int, linkage: str) -> tuple[np.ndarray, str]:
    return np.random.default_rng(0).standard_normal((n, p)), linkage


def _our_tree(data: tuple[np.ndarray, str]) -> Any:
    from margin.cluster import AgglomerativeClustering

    X, linkage = data
    return AgglomerativeClustering(linkage=linkage, compute_distances=True).fit(X).distances_


def _sklearn_tree(data: tuple[np.ndarray, str]) -> Any:
    from sklearn.cluster import AgglomerativeClustering

    X, linkage = data
    return AgglomerativeClustering(linkage=linkage, compute_distances=True).fit(X).distances_


def _scipy_tree(data: tuple[np.ndarray, str]) -> Any:
    from scipy.cluster.hierarchy import linkage

    return linkage(data[0], data[1])[:, 2]


def _fastcluster_tree(data: tuple[np.ndarray, str]) -> Any:
    import fastcluster

    return fastcluster.linkage(data[0], data[1])[:, 2]


def _mean_height(data: Any, heights: Any) -> float:
    return float(np.mean(heights))


CASES = (
    Case(
        name="k-means",
        description="k-means from the same centres until they rest (tol = 1e-4).",
        make_data=rows,
        sizes=(
            Size("20 000 × 16, k = 20", {"n": 20_000, "p": 16, "k": 20}, 320_000),
            Size("200 000 × 16, k = 50", {"n": 200_000, "p": 16, "k": 50}, 3_200_000, True),
            Size("50 000 × 100, k = 100", {"n": 50_000, "p": 100, "k": 100}, 5_000_000, True),
        ),
        contestants=(
            Contestant("margin", _ours, ours=True),
            Contestant("scikit-learn Lloyd", _sklearn, ("sklearn",)),
            Contestant("scikit-learn Elkan", _elkan, ("sklearn",)),
            Contestant("scikit-learn-intelex", _intelex, ("sklearnex.cluster",)),
        ),
        target=Target(_error, "sum of squared errors, as a share of that around one mean", 1e-3),
        required_ratio=1.3,
        warm_up={"n": 500, "p": 4, "k": 5},
    ),
    Case(
        name="agglomerative-clustering",
        description="The whole tree of merges of points in 20 dimensions.",
        make_data=points,
        sizes=(
            Size("1 000 × 20, average", {"n": 1000, "p": 20, "linkage": "average"}, 20_000),
            Size("5 000 × 20, average", {"n": 5000, "p": 20, "linkage": "average"}, 100_000, True),
            Size("5 000 × 20, Ward", {"n": 5000, "p": 20, "linkage": "ward"}, 100_001, True),
        ),
        contestants=(
            Contestant("margin", _our_tree, ours=True),
            Contestant("scikit-learn", _sklearn_tree, ("sklearn",)),
            Contestant("SciPy", _scipy_tree, ("scipy",)),
            Contestant("fastcluster", _fastcluster_tree, ("fastcluster",)),
        ),
        target=Target(_mean_height, "mean height of the merges", 1e-6),
        required_ratio=1.3,
        warm_up={"n": 100, "p": 3, "linkage": "average"},
    ),
)
