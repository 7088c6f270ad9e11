"""Labels from the spectra of graphs; on plain arrays."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from scipy.linalg import qr, svd

from margin.core import Iterate, Stop, iterate
from margin.core.types import Floats, Indices
from margin.linalg import n_parts


def warn_of_pieces(A: Any, name: str) -> None:
    """Warn when a graph falls apart: the first eigenvectors then only tell the pieces."""
    pieces = n_parts(A)
    if pieces > 1:
        warnings.warn(
            f"{name}: Graph is not fully connected, spectral embedding may not work as expected: "
            f"{pieces} pieces.",
            stacklevel=4,
        )


def labels_by_qr(vectors: Floats) -> Indices:
    """The most outstanding rows by a pivoted QR, and for every row the one it is most like."""
    k = vectors.shape[1]
    _, _, pivots = qr(vectors.T, pivoting=True)
    left, _, right = svd(vectors[pivots[:k]].T)
    turned = np.abs(vectors @ (left @ right.conj()))
    return np.asarray(turned.argmax(axis=1), dtype=np.int64)


def labels_by_rotation(vectors: Floats, rng: np.random.Generator, max_iter: int = 100) -> Indices:
    """The partition that some rotation of the eigenvectors is closest to."""
    n, k = vectors.shape
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    V = vectors / np.where(length > 0, length, 1.0)
    rotation = np.zeros((k, k))
    rotation[:, 0] = V[rng.integers(n)]
    closeness = np.zeros(n)
    for j in range(1, k):
        closeness += np.abs(V @ rotation[:, j - 1])
        rotation[:, j] = V[closeness.argmin()]
    stop = Stop("relative gain of closeness", 1e-12, max_iter, unit="rotation", keep="last")
    solution = iterate(_rotations(V, rotation), stop)
    if solution.interrupted:  # of a larger fit
        raise KeyboardInterrupt
    labels: Indices = solution.x
    return labels


def _rotations(V: Floats, rotation: Floats) -> Iterator[Iterate]:
    """The nearest partition of a rotation, then the rotation nearest to that, in turn."""
    before = None
    for n_turns in count(1):
        label = (V @ rotation).argmax(axis=1).astype(np.int64)
        hot = (label[:, None] == np.arange(len(rotation))).astype(np.float64)
        left, value, right = svd(hot.T @ V, full_matrices=False)
        total = float(value.sum())
        gain = None if before is None else (total - before) / max(1.0, total)
        yield Iterate(label, -total, gain, n_turns)
        before, rotation = total, right.T @ left.T
