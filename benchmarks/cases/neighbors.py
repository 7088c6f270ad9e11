"""Exact neighbours: products with all rows where columns are many, trees where they are few."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

_COMPARED = 50  # queries whose true neighbours are found by distances written out


@dataclass(frozen=True)
class Search:
    """Rows, queries, how many neighbours, and the search asked for."""

    X: np.ndarray
    Q: np.ndarray
    k: int
    algorithm: str


def search(n: int, p: int, m: int, k: int = 10, algorithm: str = "brute") -> Search:
    rng = np.random.default_rng(0)
    draw = rng.standard_normal if algorithm == "brute" else rng.random
    return Search(draw((n, p)), draw((m, p)), k, algorithm)


def _ours(data: Search) -> Any:
    from margin.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=data.k, algorithm=data.algorithm).fit(data.X)
    return model.kneighbors(data.Q)


def _sklearn(data: Search) -> Any:
    from sklearn.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=data.k, algorithm=data.algorithm, n_jobs=-1).fit(data.X)
    return model.kneighbors(data.Q)


def _intelex(data: Search) -> Any:
    from sklearnex.neighbors import NearestNeighbors

    model = NearestNeighbors(n_neighbors=data.k, algorithm=data.algorithm).fit(data.X)
    return model.kneighbors(data.Q)


def _scipy(data: Search) -> Any:
    from scipy.spatial import cKDTree

    return cKDTree(data.X).query(data.Q, data.k, workers=-1)


def _scipy_quick(data: Search) -> Any:
    from scipy.spatial import cKDTree

    tree = cKDTree(data.X, balanced_tree=False, compact_nodes=False)
    return tree.query(data.Q, data.k, workers=-1)


def _excess(data: Search, answer: Any) -> float:
    """Sum of the distances given, over that of all contestants alike, per neighbour."""
    return float(np.mean(answer[0]))


def _error(data: Search, answer: Any) -> float:
    """Largest relative error of a distance, against all distances written out."""
    some = np.linspace(0, len(data.Q) - 1, _COMPARED).astype(int)
    errors = []
    for i in some:
        true = np.sort(np.sqrt(((data.X - data.Q[i]) ** 2).sum(axis=1)))[: data.k]
        errors.append(float(np.abs(answer[0][i] / true - 1.0).max()))
    return max(errors)


_TARGET = Target(
    objective=_excess,
    objective_name="mean distance of the neighbours",
    tolerance=1e-9,
    certificate=_error,
    certificate_name="largest relative error of a distance",
    limit=1e-6,
)
_PEERS = (
    Contestant("scikit-learn", _sklearn, ("sklearn",)),
    Contestant("scikit-learn-intelex", _intelex, ("sklearnex.neighbors",)),
)

CASES = (
    Case(
        name="nearest-neighbours-brute",
        description="The ten nearest of many rows with 50 columns, by comparison with all of them.",
        make_data=search,
        sizes=(
            Size("10 000 × 50, 1 000 queries", {"n": 10_000, "p": 50, "m": 1000}, 500_000),
            Size("50 000 × 50, 5 000 queries", {"n": 50_000, "p": 50, "m": 5000}, 2_500_000, True),
        ),
        contestants=(Contestant("margin", _ours, ours=True), *_PEERS),
        target=_TARGET,
        required_ratio=1.1,
        warm_up={"n": 500, "p": 5, "m": 50},
    ),
    Case(
        name="nearest-neighbours-tree",
        description="A KD tree over points in space, built and asked for the ten nearest.",
        make_data=search,
        sizes=(
            Size(
                "100 000 × 3, 10 000 queries",
                {"n": 100_000, "p": 3, "m": 10_000, "algorithm": "kd_tree"},
                300_000,
            ),
            Size(
                "1 000 000 × 3, 100 000 queries",
                {"n": 1_000_000, "p": 3, "m": 100_000, "algorithm": "kd_tree"},
                3_000_000,
                True,
            ),
        ),
        contestants=(
            Contestant("margin", _ours, ours=True),
            *_PEERS,
            Contestant("SciPy cKDTree", _scipy, ("scipy",)),
            Contestant("SciPy cKDTree, quick to build", _scipy_quick, ("scipy",)),
        ),
        target=_TARGET,
        required_ratio=1.1,
        warm_up={"n": 500, "p": 3, "m": 50, "algorithm": "kd_tree"},
    ),
)
