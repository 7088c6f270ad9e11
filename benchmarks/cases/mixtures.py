"""Gaussian mixtures: so many iterations of expectation maximisation from one start."""

import warnings
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.data import Table

N_COMPONENTS = 8
ITERATIONS = 20
JUDGED = 50_000
"""Rows on which the likelihoods are compared."""


def clouds(n: int, p: int, seed: int = 0) -> Table:
    """Rows of overlapping clouds of different shapes, and the cloud of each."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, N_COMPONENTS, n)
    means = 2.0 * rng.standard_normal((N_COMPONENTS, p))
    shapes = rng.standard_normal((N_COMPONENTS, p, p)) / np.sqrt(p) + np.eye(p)
    X = rng.standard_normal((n, p))
    for k in range(N_COMPONENTS):
        X[y == k] = X[y == k] @ shapes[k] + means[k]
    return Table(X, y)


def _start(table: Table, kind: str) -> dict[str, Any]:
    """Rows as means, equal weights, unit covariances."""
    p = table.X.shape[1]
    precisions = {
        "full": np.stack([np.eye(p)] * N_COMPONENTS),
        "diag": np.ones((N_COMPONENTS, p)),
    }
    return {
        "weights_init": np.full(N_COMPONENTS, 1 / N_COMPONENTS),
        "means_init": table.X[:N_COMPONENTS],
        "precisions_init": precisions[kind],
    }


def contestant(library: str, module: str, kind: str) -> Contestant:
    """A library's mixture as a contestant."""

    def fit(table: Table) -> Any:
        model = import_module(module).GaussianMixture(
            N_COMPONENTS,
            covariance_type=kind,
            tol=0.0,
            max_iter=ITERATIONS,
            **_start(table, kind),
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return model.fit(table.X)

    return Contestant(
        name=library, fit=fit, requires=(f"{module}:GaussianMixture",), ours=library == "margin"
    )


def _loss(table: Table, fitted: Any) -> float:
    return -float(fitted.score(table.X[:JUDGED]))


TARGET = Target(
    objective=_loss,
    objective_name="mean negative log-likelihood of the first rows",
    tolerance=1e-5,
)


def _case(kind: str, description: str, required_ratio: float) -> Case:
    return Case(
        name=f"mixture-gaussian-{kind}",
        description=description,
        make_data=clouds,
        sizes=(
            Size("20 000 × 16", {"n": 20_000, "p": 16}, 320_000),
            Size("200 000 × 16", {"n": 200_000, "p": 16}, 3_200_000, required=True),
        ),
        contestants=(
            contestant("margin", "margin.mixture", kind),
            contestant("scikit-learn", "sklearn.mixture", kind),
        ),
        target=TARGET,
        required_ratio=required_ratio,
        warm_up={"n": 200, "p": 5},
    )


CASES = (
    _case("full", "Gaussian mixture, 8 full covariances, 20 iterations.", 6.0),
    _case("diag", "Gaussian mixture, 8 diagonal covariances, 20 iterations.", 2.0),
)
