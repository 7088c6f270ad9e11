"""NumPy twins of the stochastic loops, one row and one coordinate at a time."""

import numpy as np
from scipy import sparse

from margin.native.rows import stochastic as native

ALL = range(9)


def slope(loss, shape, z, y):
    sign = 1.0 if y > 0 else -1.0
    r = z - y
    return {
        native.SQUARED: r,
        native.LOGISTIC: 1.0 / (1.0 + np.exp(-z)) - y,
        native.HINGE: -sign if sign * z < 1 else 0.0,
        native.SQUARED_HINGE: -2.0 * sign * max(0.0, 1.0 - sign * z),
        native.PERCEPTRON: -sign if sign * z <= 0 else 0.0,
        native.HUBER: min(max(r, -shape), shape),
        native.INSENSITIVE: float(np.sign(r)) if abs(r) > shape else 0.0,
        native.MODIFIED_HUBER: -2.0 * sign * min(max(0.0, 1.0 - sign * z), 2.0),
        native.SQUARED_INSENSITIVE: 2.0 * float(np.sign(r)) * max(0.0, abs(r) - shape),
    }[loss]


def value(loss, shape, z, y):
    m, r = (1.0 if y > 0 else -1.0) * z, z - y
    return {
        native.SQUARED: 0.5 * r**2,
        native.LOGISTIC: np.logaddexp(0.0, z) - y * z,
        native.HINGE: max(0.0, 1.0 - m),
        native.SQUARED_HINGE: max(0.0, 1.0 - m) ** 2,
        native.PERCEPTRON: max(0.0, -m),
        native.HUBER: 0.5 * r**2 if abs(r) <= shape else shape * (abs(r) - 0.5 * shape),
        native.INSENSITIVE: max(0.0, abs(r) - shape),
        native.MODIFIED_HUBER: -4.0 * m if m < -1 else max(0.0, 1.0 - m) ** 2,
        native.SQUARED_INSENSITIVE: max(0.0, abs(r) - shape) ** 2,
    }[loss]


def soft(v, t):
    return np.sign(v) * np.maximum(np.abs(v) - t, 0.0)


def weighted_slope(rows, X, i, w):
    g = slope(rows.loss, rows.shape, float(X[i] @ w[:-1] + w[-1]), rows.y[i])
    return g if rows.weight is None else rows.weight[i] * g


def sample(loss, n=40, p=6, storage="dense", dtype=np.float64, index=np.int32, seed=0, weight=True):
    """Rows with empty ones, and their dense double-precision matrix."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[rng.random(size=X.shape) < 0.5] = 0.0
    X[: min(n, 1)] = 0.0
    X = X.astype(dtype)
    y = rng.integers(0, 2, size=n).astype(float)
    residual = (native.SQUARED, native.HUBER, native.INSENSITIVE, native.SQUARED_INSENSITIVE)
    if loss in residual:
        y = X.astype(float) @ rng.normal(size=p) + rng.normal(size=n)
    stored = X
    if storage == "sparse":
        stored = sparse.csr_array(X)
        stored.indices = stored.indices.astype(index)
        stored.indptr = stored.indptr.astype(index)
    factor = rng.uniform(0.5, 2.0, size=n) if weight else None
    return native.Rows(loss, 0.7, stored, y, factor), X.astype(np.float64)
