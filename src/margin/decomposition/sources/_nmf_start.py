"""Factors to start from."""

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.extmath import randomized_svd

from margin.core.types import Floats
from margin.linalg import svd

NAMES = ("random", "nndsvd", "nndsvda", "nndsvdar")


def start_factors(
    X: Any, n_components: int, name: str, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Non-negative factors of a complete table.

    ``"nndsvd"`` takes the positive or the negative part of each singular pair, whichever is
    longer; ``"nndsvda"`` puts the mean of the table in place of zeros, ``"nndsvdar"`` small random
    numbers. ``"random"`` draws absolute values of normal numbers with the mean of the table.

    Examples
    --------
    >>> W, H = start_factors(np.ones((3, 2)), 1, "nndsvd", np.random.default_rng(0))
    >>> (W @ H).round(6)
    array([[1., 1.],
           [1., 1.],
           [1., 1.]])
    """
    mean = float(X.mean())
    if name == "random":
        scale = np.sqrt(max(mean, 0.0) / n_components)
        shapes = (X.shape[0], n_components), (n_components, X.shape[1])
        H = scale * np.abs(rng.standard_normal(shapes[1]))
        return scale * np.abs(rng.standard_normal(shapes[0])), H
    W, H = _longer_parts(*_singular(X, n_components, rng))
    W[W < 1e-6], H[H < 1e-6] = 0.0, 0.0
    if name == "nndsvda":
        W[W == 0], H[H == 0] = mean, mean
    elif name == "nndsvdar":
        for factor in (W, H):
            empty = factor == 0
            factor[empty] = np.abs(mean * rng.standard_normal(int(empty.sum())) / 100)
    return W, H


def _singular(X: Any, k: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Leading singular vectors and values, by a random range where there are many more."""
    seed = int(rng.integers(2**31))
    if issparse(X) or min(X.shape) > 2 * (k + 10):
        U, S, Vt = randomized_svd(X, k, random_state=seed)
        return U, S, Vt
    U, S, Vt = svd(X)
    return U[:, :k], S[:k], Vt[:k]


def _longer_parts(U: Floats, S: Floats, Vt: Floats) -> tuple[Floats, Floats]:
    """The positive or the negative part of each singular pair, with its share of the value.

    Of the first pair, which has one sign, all.
    """
    sides = [(np.maximum(s * U, 0.0), np.maximum(s * Vt, 0.0)) for s in (1.0, -1.0)]
    sizes = [(np.linalg.norm(a, axis=0), np.linalg.norm(b, axis=1)) for a, b in sides]
    first = sizes[0][0] * sizes[0][1] >= sizes[1][0] * sizes[1][1]
    W = np.where(first, sides[0][0], sides[1][0])
    H = np.where(first[:, None], sides[0][1], sides[1][1])
    wide, high = (
        np.where(first, sizes[0][0], sizes[1][0]),
        np.where(first, sizes[0][1], sizes[1][1]),
    )
    W[:, 0], H[0], wide[0], high[0] = np.abs(U[:, 0]), np.abs(Vt[0]), 1.0, 1.0
    some = (wide > 0) & (high > 0)
    ratio = np.sqrt(np.divide(S, wide * high, out=np.zeros_like(S), where=some))
    # The root of the value and of both lengths, over the length of the part itself.
    return W * (ratio * high), H * (ratio * wide)[:, None]
