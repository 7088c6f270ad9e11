"""Non-negative parts, independent sources and canonical correlations against scikit-learn."""

from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target


def parts(n: int, p: int, k: int = 10) -> tuple[np.ndarray, int]:
    rng = np.random.default_rng(0)
    W = rng.gamma(0.5, size=(n, k))
    return W @ rng.gamma(0.5, size=(k, p)) + 0.2 * rng.random((n, p)), k


def _nmf(data: Any, tol: float = 1e-4) -> Any:
    from margin.decomposition import NMF

    return NMF(data[1], random_state=0, max_iter=5000, tol=tol).fit(data[0])


def _their_nmf(data: Any, tol: float = 1e-4) -> Any:
    from sklearn.decomposition import NMF

    return NMF(data[1], random_state=0, max_iter=5000, tol=tol).fit(data[0])


def _error(data: Any, model: Any) -> float:
    """Error of the approximation over the norm of the table."""
    return float(model.reconstruction_err_ / np.linalg.norm(data[0]))


def mixtures(n: int, k: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    sources = rng.laplace(size=(n, k))
    sources[:, ::2] = rng.uniform(-1, 1, size=(n, (k + 1) // 2))
    return sources @ rng.normal(size=(k, k))


def _ica(X: np.ndarray) -> Any:
    from margin.decomposition import FastICA

    return FastICA(random_state=0, tol=1e-6, max_iter=1000).fit(X)


def _their_ica(X: np.ndarray) -> Any:
    from sklearn.decomposition import FastICA

    return FastICA(random_state=0, tol=1e-6, max_iter=1000).fit(X)


def _contrast(X: np.ndarray, model: Any) -> float:
    """Minus the mean distance of the log-cosh contrast from that of a normal source."""
    S = model.transform(X)
    normal = 0.37456
    return -float(np.mean(np.abs(np.log(np.cosh(S)).mean(axis=0) - normal)))


def tables(n: int, p: int, q: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(n, 5))
    X = shared @ rng.normal(size=(5, p)) + 3 * rng.normal(size=(n, p))
    return X, shared @ rng.normal(size=(5, q)) + 3 * rng.normal(size=(n, q))


def _cca(data: Any) -> Any:
    from margin.decomposition import CCA

    return CCA(5).fit(*data)


def _their_cca(data: Any) -> Any:
    from sklearn.cross_decomposition import CCA

    return CCA(5, max_iter=5000).fit(*data)


def _correlation(data: Any, model: Any) -> float:
    """Minus the sum of the correlations of the variates."""
    T, U = model.transform(*data)
    return -float(sum(abs(np.corrcoef(T[:, j], U[:, j])[0, 1]) for j in range(T.shape[1])))


_TIGHTER = ({"tol": 1e-4}, {"tol": 1e-5}, {"tol": 1e-6})

CASES = (
    Case(
        name="nmf",
        description="Ten non-negative parts of a table, by coordinate descent.",
        make_data=parts,
        sizes=(
            Size("2 000 × 300", {"n": 2000, "p": 300}, 600_000),
            Size("10 000 × 500", {"n": 10_000, "p": 500}, 5_000_000, True),
        ),
        contestants=(
            Contestant("margin", _nmf, settings=_TIGHTER, ours=True),
            Contestant("scikit-learn", _their_nmf, ("sklearn",), settings=_TIGHTER),
        ),
        target=Target(objective=_error, objective_name="relative error", tolerance=2e-3),
        required_ratio=1.0,
        warm_up={"n": 60, "p": 20, "k": 3},
    ),
    Case(
        name="fast-ica",
        description="Independent sources of mixtures with heavy and light tails, all at once.",
        make_data=mixtures,
        sizes=(
            Size("20 000 × 10", {"n": 20_000, "k": 10}, 200_000),
            Size("100 000 × 20", {"n": 100_000, "k": 20}, 2_000_000, True),
        ),
        contestants=(
            Contestant("margin", _ica, ours=True),
            Contestant("scikit-learn", _their_ica, ("sklearn",)),
        ),
        target=Target(
            objective=_contrast, objective_name="minus the mean contrast", tolerance=1e-3
        ),
        required_ratio=1.0,
        warm_up={"n": 500, "k": 3},
    ),
    Case(
        name="cca",
        description="Five canonical pairs of two tables.",
        make_data=tables,
        sizes=(
            Size("2 000 × (30 + 20)", {"n": 2000, "p": 30, "q": 20}, 100_000),
            Size("20 000 × (100 + 60)", {"n": 20_000, "p": 100, "q": 60}, 3_200_000, True),
        ),
        contestants=(
            Contestant("margin", _cca, ours=True),
            Contestant("scikit-learn", _their_cca, ("sklearn",)),
        ),
        target=Target(
            objective=_correlation, objective_name="minus the sum of correlations", tolerance=1e-4
        ),
        required_ratio=1.0,
        warm_up={"n": 100, "p": 6, "q": 5},
    ),
)
