"""Data with known coefficients and a realistic amount of signal, the same at every call."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from scipy.special import expit


@dataclass(frozen=True)
class Table:
    """A matrix of features (dense or CSR) and a target."""

    X: Any
    y: np.ndarray


def dense_binary(n: int, p: int, seed: int = 0) -> Table:
    """Correlated Gaussian features, half of them active; labels of log odds with deviation 2."""
    rng = np.random.default_rng(seed)
    mixing = np.eye(p) + rng.standard_normal((p, p)) * 0.6 / np.sqrt(p)
    X = rng.standard_normal((n, p)) @ mixing
    coefficients = rng.standard_normal(p) * (rng.random(p) < 0.5)
    return Table(X, _labels(X @ coefficients, 2.0, -0.5, rng))


def sparse_binary(n: int, p: int, density: float = 0.002, seed: int = 0) -> Table:
    """CSR features with exponential values, a tenth active; labels of log odds with deviation 3."""
    rng = np.random.default_rng(seed)
    cells = np.sort(rng.choice(n * p, size=round(density * n * p), replace=False))
    rows, columns = np.divmod(cells, p)
    values = rng.standard_exponential(cells.size)
    X = scipy.sparse.csr_matrix((values, (rows, columns)), shape=(n, p))
    coefficients = rng.standard_normal(p) * (rng.random(p) < 0.1)
    return Table(X, _labels(X @ coefficients, 3.0, -0.3, rng))


def _labels(
    signal: np.ndarray, deviation: float, intercept: float, rng: np.random.Generator
) -> np.ndarray:
    log_odds = signal * (deviation / max(signal.std(), 1e-12)) + intercept
    return np.asarray(rng.random(signal.size) < expit(log_odds), dtype=np.int64)


def digits_like(n: int, p: int = 64, n_classes: int = 10, seed: int = 0) -> Table:
    """Counts from 0 to 16 (as shares of 16) around one sparse prototype per class."""
    rng = np.random.default_rng(seed)
    prototypes = rng.uniform(0, 16, (n_classes, p)) * (rng.random((n_classes, p)) < 0.6)
    y = rng.integers(0, n_classes, n)
    ink = prototypes[y] * 0.5 + 4.0 + 4.0 * rng.standard_normal((n, p))
    return Table(np.clip(np.rint(ink), 0, 16) / 16, y)


def linear_response(n: int, p: int, seed: int = 0) -> Table:
    """Gaussian features of mean 1, every one active, noise of deviation 3."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) + 1.0
    y = X @ rng.standard_normal(p) + 2.0 + 3.0 * rng.standard_normal(n)
    return Table(X, y)


def noisy_curve(n: int, seed: int = 0) -> Table:
    """A wave sampled at n rising points about 1 apart, some closer, with noise of deviation 0.3."""
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.uniform(0.5, 1.5, n))
    return Table(x, np.sin(x / 200) + 0.3 * rng.standard_normal(n))
