"""Matrices of vector kernels, and their derivatives as a marginal likelihood needs them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from benchmarks.case import Case, Contestant, Size, Target


@dataclass(frozen=True)
class Points:
    """Rows to compare, a length scale per column, and weights of the entries of the matrix."""

    X: np.ndarray
    scales: np.ndarray
    weight: np.ndarray


def points(n: int, p: int, weighted: bool = False) -> Points:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    scales = rng.uniform(0.7, 1.4, size=p) * np.sqrt(p)
    weight = rng.normal(size=(n, n)) if weighted else np.empty(0)
    return Points(X, scales, weight)


def _gaussian(data: Points) -> np.ndarray:
    from margin.kernels import RBF

    return RBF(float(data.scales[0]))(data.X)


def _gaussian_sklearn(data: Points) -> np.ndarray:
    from sklearn.metrics.pairwise import rbf_kernel

    made: np.ndarray = rbf_kernel(data.X, gamma=0.5 / data.scales[0] ** 2)
    return made


def _gaussian_gp(data: Points) -> np.ndarray:
    from sklearn.gaussian_process.kernels import RBF

    made: np.ndarray = RBF(data.scales[0])(data.X)
    return made


def _error(data: Points, K: Any) -> float:
    some = slice(0, 200)
    squares = cdist(data.X[some], data.X, "sqeuclidean") / data.scales[0] ** 2
    return float(np.abs(K[some] - np.exp(-0.5 * squares)).max())


def _matern(data: Points) -> np.ndarray:
    from margin.kernels import Matern

    return Matern(tuple(data.scales), nu=2.5).gradient_product(data.X, data.weight)


def _matern_sklearn(data: Points) -> np.ndarray:
    from sklearn.gaussian_process.kernels import Matern

    _, gradient = Matern(data.scales, nu=2.5)(data.X, eval_gradient=True)
    return np.einsum("ij,ijp->p", data.weight, gradient)


def _gradient_error(data: Points, sums: Any) -> float:
    scaled = data.X / data.scales
    t = np.sqrt(5.0) * cdist(scaled, scaled)
    weight = data.weight * (1.0 + t) * np.exp(-t) * (5.0 / 3.0)
    wanted = [float((weight * np.subtract.outer(c, c) ** 2).sum()) for c in scaled.T]
    return float(np.abs(np.subtract(sums, wanted)).max() / np.abs(wanted).max())


CASES = (
    Case(
        name="gaussian-kernel-matrix",
        description="The matrix of a Gaussian kernel between all rows of a table.",
        make_data=points,
        sizes=(
            Size("2 000 × 5", {"n": 2_000, "p": 5}, 4_000_000),
            Size("5 000 × 20", {"n": 5_000, "p": 20}, 25_000_000, required=True),
            Size("5 000 × 200", {"n": 5_000, "p": 200}, 25_000_000),
        ),
        contestants=(
            Contestant("margin", _gaussian, ("margin.kernels:RBF",), ours=True),
            Contestant(
                "scikit-learn rbf_kernel",
                _gaussian_sklearn,
                ("sklearn.metrics.pairwise:rbf_kernel",),
            ),
            Contestant(
                "scikit-learn GP kernel", _gaussian_gp, ("sklearn.gaussian_process.kernels:RBF",)
            ),
        ),
        target=Target(_error, "largest error of an entry", 1e-10),
        required_ratio=1.0,
        warm_up={"n": 200, "p": 3},
    ),
    Case(
        name="matern-ard-gradient",
        description=(
            "Matérn 5/2 kernel with a length scale per column: the derivatives in all of them,"
            " summed with a weight per entry, as every step of a Gaussian-process fit needs."
        ),
        make_data=points,
        sizes=(
            Size("500 × 5", {"n": 500, "p": 5, "weighted": True}, 250_000),
            Size("1 500 × 5", {"n": 1_500, "p": 5, "weighted": True}, 2_250_000, required=True),
            Size("1 500 × 20", {"n": 1_500, "p": 20, "weighted": True}, 2_250_000),
        ),
        contestants=(
            Contestant("margin", _matern, ("margin.kernels:Matern",), ours=True),
            Contestant(
                "scikit-learn", _matern_sklearn, ("sklearn.gaussian_process.kernels:Matern",)
            ),
        ),
        target=Target(_gradient_error, "largest relative error of a sum", 1e-9),
        required_ratio=1.0,
        warm_up={"n": 100, "p": 3, "weighted": True},
    ),
)
