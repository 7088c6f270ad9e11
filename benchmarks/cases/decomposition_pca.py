"""Principal components, factor analysis and kernel principal components."""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

MODULES = {
    "margin": "margin.decomposition",
    "scikit-learn": "sklearn.decomposition",
    "scikit-learn-intelex": "sklearnex.decomposition",
}


def factor_table(n: int, p: int, k: int, seed: int = 0) -> np.ndarray:
    """Rows of ``k`` factors of falling strength, with noise of its own for every column."""
    rng = np.random.default_rng(seed)
    loadings = rng.standard_normal((k, p)) * np.linspace(2.0, 1.0, k)[:, None]
    noise = rng.standard_normal((n, p)) * rng.uniform(0.5, 2.0, p)
    return rng.standard_normal((n, k)) @ loadings + noise + 1.0


def curved_table(n: int, p: int, k: int, seed: int = 0) -> np.ndarray:
    """Rows around a curved surface."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, (n, k))
    return np.sin(angle @ rng.standard_normal((k, p))) + 0.1 * rng.standard_normal((n, p))


def contestant(library: str, model: str, note: str = "", **parameters: Any) -> Contestant:
    """A library's model as a contestant."""

    def fit(X: np.ndarray, **setting: Any) -> Any:
        return getattr(import_module(MODULES[library]), model)(**parameters, **setting).fit(X)

    return Contestant(
        name=library,
        fit=fit,
        requires=(f"{MODULES[library]}:{model}",),
        ours=library == "margin",
        note=note,
    )


def _distortion(X: np.ndarray, fitted: Any) -> float:
    """Share of the squares about the mean that the axes leave out."""
    away = X - X.mean(axis=0)
    axes = np.linalg.qr(np.asarray(fitted.components_).T)[0]
    return float(1 - np.sum((away @ axes) ** 2) / np.sum(away**2))


def _surprise(X: np.ndarray, fitted: Any) -> float:
    """Negative log-likelihood per entry."""
    return float(-np.mean(fitted.score_samples(X)) / X.shape[1])


def _missed(X: np.ndarray, fitted: Any) -> float:
    """Sum of the eigenvalues found, negative, per row."""
    return float(-np.sum(fitted.eigenvalues_) / len(X))


def _pca(name: str, description: str, sizes: tuple[Size, ...], k: int) -> Case:
    return Case(
        name=name,
        description=description,
        make_data=factor_table,
        sizes=sizes,
        contestants=(
            contestant("margin", "PCA", n_components=k),
            contestant("scikit-learn", "PCA", n_components=k, random_state=0),
            contestant("scikit-learn-intelex", "PCA", n_components=k, random_state=0),
        ),
        target=Target(_distortion, "share of the variance left out", 1e-3),
        required_ratio=1.0,
        warm_up={"n": 200, "p": 40, "k": 5},
    )


CASES = (
    _pca(
        "pca-tall",
        "Twenty principal components of more rows than columns.",
        (
            Size("2 000 × 200", {"n": 2_000, "p": 200, "k": 10}, 400_000),
            Size("20 000 × 200", {"n": 20_000, "p": 200, "k": 10}, 4_000_000, required=True),
            Size("200 000 × 200", {"n": 200_000, "p": 200, "k": 10}, 40_000_000),
        ),
        20,
    ),
    _pca(
        "pca-wide",
        "Twenty principal components of more columns than rows.",
        (
            Size("500 × 5 000", {"n": 500, "p": 5_000, "k": 10}, 2_500_000),
            Size("2 000 × 20 000", {"n": 2_000, "p": 20_000, "k": 10}, 40_000_000, required=True),
        ),
        20,
    ),
    Case(
        name="factor-analysis",
        description="Factor analysis with ten factors, by default tolerances.",
        make_data=factor_table,
        sizes=(
            Size("2 000 × 50", {"n": 2_000, "p": 50, "k": 10}, 100_000),
            Size("20 000 × 200", {"n": 20_000, "p": 200, "k": 10}, 4_000_000, required=True),
        ),
        contestants=(
            contestant("margin", "FactorAnalysis", n_components=10),
            contestant("scikit-learn", "FactorAnalysis", n_components=10),
        ),
        target=Target(_surprise, "negative log-likelihood per entry", 1e-6),
        required_ratio=5.0,
        warm_up={"n": 200, "p": 20, "k": 5},
    ),
    Case(
        name="kernel-pca",
        description="Twenty kernel principal components, Gaussian kernel.",
        make_data=curved_table,
        sizes=(
            Size("1 000 × 10", {"n": 1_000, "p": 10, "k": 2}, 1_000_000),
            Size("3 000 × 10", {"n": 3_000, "p": 10, "k": 2}, 9_000_000, required=True),
        ),
        contestants=(
            contestant("margin", "KernelPCA", n_components=20, kernel="rbf"),
            contestant("scikit-learn", "KernelPCA", n_components=20, kernel="rbf"),
        ),
        target=Target(_missed, "minus the sum of the eigenvalues per row", 1e-6),
        required_ratio=2.0,
        warm_up={"n": 200, "p": 5, "k": 2},
    ),
)
