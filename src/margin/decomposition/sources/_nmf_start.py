"""Factors to start from."""

from typing import Any

import numpy as np
from sklearn.utils.extmath import randomized_svd

from margin.core.types import Floats

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
    seed = int(rng.integers(2**31))
    U, S, Vt = randomized_svd(X, n_components, random_state=seed)
    W, H = np.zeros_like(U), np.zeros_like(Vt)
    W[:, 0] = np.sqrt(S[0]) * np.abs(U[:, 0])
    H[0] = np.sqrt(S[0]) * np.abs(Vt[0])
    for j in range(1, n_components):
        W[:, j], H[j] = _longer_part(U[:, j], Vt[j], S[j])
    W[W < 1e-6], H[H < 1e-6] = 0.0, 0.0
    if name == "nndsvda":
        W[W == 0], H[H == 0] = mean, mean
    elif name == "nndsvdar":
        for factor in (W, H):
            empty = factor == 0
            factor[empty] = np.abs(mean * rng.standard_normal(int(empty.sum())) / 100)
    return W, H


def _longer_part(u: Floats, v: Floats, value: float) -> tuple[Floats, Floats]:
    """The positive or the negative part of a singular pair, with its share of the value."""
    parts = [(np.maximum(s * u, 0.0), np.maximum(s * v, 0.0)) for s in (1.0, -1.0)]
    sizes = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in parts]
    best = int(np.argmax(sizes))
    a, b = parts[best]
    if sizes[best] == 0.0:
        return np.zeros_like(u), np.zeros_like(v)
    share = np.sqrt(value * sizes[best])
    return share * a / np.linalg.norm(a), share * b / np.linalg.norm(b)
