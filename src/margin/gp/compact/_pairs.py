"""The pairs of points that a kernel of compact support does not set to zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core.types import Floats, Places

_SAMPLE = 200


def density(kernel: Any, X: Floats) -> float:
    """About which share of the matrix is not zero, from some of its rows.

    Examples
    --------
    >>> from margin.kernels import Wendland
    >>> density(2.0 * Wendland(0.5, dimension=1), np.array([[0.0], [1.0]]))
    0.5
    """
    rows = np.unique(np.linspace(0, len(X) - 1, min(_SAMPLE, len(X))).astype(np.intp))
    near = np.zeros((len(rows), len(X)), dtype=bool)
    for part in kernel.supports:
        near[part.near(X[rows], X)] = True
    return float(near.mean())


def pairs(kernel: Any, X: Floats, Z: Floats | None = None) -> tuple[Places, Places]:
    """Rows and columns within reach; with one table those on and above the diagonal.

    Examples
    --------
    >>> from margin.kernels import Triangle, Wendland
    >>> i, j = pairs(Wendland(0.5) + Triangle(2.0), np.array([[0.0], [1.0], [9.0]]))
    >>> i.tolist(), j.tolist()
    ([0, 0, 1, 2], [0, 1, 1, 2])
    """
    near: list[tuple[Places, Places]] = [part.near(X, Z) for part in kernel.supports]
    if len(near) == 1:
        return near[0]
    width = len(X if Z is None else Z)
    keys = np.unique(np.concatenate([i * width + j for i, j in near]))
    return keys // width, keys % width
