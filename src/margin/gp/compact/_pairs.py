"""A kernel of compact support, pair by pair: only the points within reach of each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial import KDTree

from margin.core.types import Floats, Places
from margin.kernels import (
    CompactSupport,
    Constant,
    Constrained,
    Product,
    Radial,
    Scaled,
    Separable,
    Sum,
    Truncated,
)

_SAMPLE = 200


def is_compact(kernel: Any) -> bool:
    """Whether the kernel, without noise, is zero between far points, and is known by pairs.

    Examples
    --------
    >>> from margin.kernels import RBF, Wendland
    >>> is_compact(2.0 * Wendland(1.0)), is_compact(RBF(1.0)), is_compact(RBF(1.0) * Wendland(1.0))
    (True, False, True)
    """
    if isinstance(kernel, Scaled | Constrained):
        return is_compact(kernel.kernel)
    if isinstance(kernel, Sum):
        return all(map(is_compact, kernel.parts))
    if isinstance(kernel, Product):
        return any(map(is_compact, kernel.parts)) and all(map(_by_pairs, kernel.parts))
    return isinstance(kernel, CompactSupport) and not isinstance(kernel, Truncated)


def _by_pairs(kernel: Any) -> bool:
    if isinstance(kernel, Scaled | Constrained):
        return _by_pairs(kernel.kernel)
    if isinstance(kernel, Sum | Product):
        return all(map(_by_pairs, kernel.parts))
    return isinstance(kernel, Radial | Constant) or is_compact(kernel)


def bounds(kernel: Any) -> list[CompactSupport]:
    """Kernels of compact support whose supports together cover that of a kernel."""
    if isinstance(kernel, Scaled | Constrained):
        return bounds(kernel.kernel)
    if isinstance(kernel, Sum):
        return [bound for part in kernel.parts for bound in bounds(part)]
    if isinstance(kernel, Product):
        return bounds(next(part for part in kernel.parts if is_compact(part)))
    return [kernel]


def density(kernel: Any, X: Floats) -> float:
    """About which share of the matrix is not zero, from some of its rows."""
    rows = np.unique(np.linspace(0, len(X) - 1, min(_SAMPLE, len(X))).astype(np.intp))
    near = np.zeros((len(rows), len(X)), dtype=bool)
    for part in bounds(kernel):
        i, j = _within(part, X[rows], X)
        near[i, j] = True
    return float(near.mean())


def pairs(kernel: Any, X: Floats, Z: Floats | None = None) -> tuple[Places, Places]:
    """Rows and columns within reach; with one table those on and above the diagonal."""
    near_pairs = []
    for part in bounds(kernel):
        if Z is not None:
            near_pairs.append(_within(part, X, Z))
            continue
        scaled = part.scaled(X)
        order, radius = part._reach()
        near = KDTree(scaled).query_pairs(radius, p=order, output_type="ndarray")
        every = np.arange(len(X))
        near_pairs.append(
            (np.concatenate([every, near[:, 0]]), np.concatenate([every, near[:, 1]]))
        )
    if len(near_pairs) == 1:
        return near_pairs[0]
    width = len(X if Z is None else Z)
    keys = np.unique(np.concatenate([i * width + j for i, j in near_pairs]))
    return keys // width, keys % width


def _within(kernel: Any, X: Floats, Z: Floats) -> tuple[Places, Places]:
    order, radius = kernel._reach()
    left, right = KDTree(kernel.scaled(X)), KDTree(kernel.scaled(Z))
    near = left.sparse_distance_matrix(right, radius, p=order, output_type="ndarray")
    return near["i"].astype(np.intp), near["j"].astype(np.intp)


def values(kernel: Any, X: Floats, Z: Floats, i: Places, j: Places) -> Floats:
    """``k(x_i, z_j)`` for pairs.

    Examples
    --------
    >>> from margin.kernels import Wendland
    >>> line = np.array([[0.0], [1.0]])
    >>> values(Wendland(2.0, dimension=1), line, line, np.array([0, 0]), np.array([0, 1]))
    array([1.    , 0.3125])
    """
    if isinstance(kernel, Constrained):
        return values(kernel.kernel, X, Z, i, j)
    if isinstance(kernel, Scaled):
        return kernel.factor * values(kernel.kernel, X, Z, i, j)
    if isinstance(kernel, Sum | Product):
        parts = [values(part, X, Z, i, j) for part in kernel.parts]
        together = np.sum if isinstance(kernel, Sum) else np.prod
        return np.asarray(together(parts, axis=0))
    if isinstance(kernel, Constant):
        return np.full(len(i), float(kernel.value))
    u = kernel.scaled(X)[i] - kernel.scaled(Z)[j]
    if isinstance(kernel, CompactSupport):
        return np.asarray(kernel._at(u))
    return np.asarray(kernel.profile(np.einsum("ij,ij->i", u, u)))


def derivatives(kernel: Any, X: Floats, i: Places, j: Places) -> Iterator[Floats]:
    r""":math:`\partial k(x_i, x_j) / \partial\theta` for pairs, one hyper-parameter at a time."""
    if isinstance(kernel, Constrained):
        every = zip(derivatives(kernel.kernel, X, i, j), kernel._open, strict=True)
        yield from (value for value, free in every if free)
    elif isinstance(kernel, Scaled):
        yield values(kernel, X, X, i, j)
        yield from (kernel.factor * d for d in derivatives(kernel.kernel, X, i, j))
    elif isinstance(kernel, Sum):
        for part in kernel.parts:
            yield from derivatives(part, X, i, j)
    elif isinstance(kernel, Product):
        factors = [values(part, X, X, i, j) for part in kernel.parts]
        for at, part in enumerate(kernel.parts):
            others = np.prod(factors[:at] + factors[at + 1 :], axis=0)
            yield from (others * d for d in derivatives(part, X, i, j))
    elif isinstance(kernel, Constant):
        yield values(kernel, X, X, i, j)
    elif isinstance(kernel, Separable):
        yield from _separable(kernel, X, i, j)
    else:
        yield from _radial(kernel, X, i, j)


def _radial(kernel: Any, X: Floats, i: Places, j: Places) -> Iterator[Floats]:
    scaled = kernel.scaled(X)
    squares = (scaled[i] - scaled[j]) ** 2
    s = squares.sum(axis=1)
    slope = kernel.slope(s)
    if isinstance(kernel.length_scale, tuple):
        yield from (slope * column for column in squares.T)
    else:
        yield slope * s
    if len(kernel._free()) > 1:
        yield kernel.shape_slope(s)


def _separable(kernel: Any, X: Floats, i: Places, j: Places) -> Iterator[Floats]:
    scaled = kernel.scaled(X)
    u = scaled[i] - scaled[j]
    profiles = kernel.profile(u)
    terms = []
    for k in range(u.shape[1]):
        others = np.delete(profiles, k, axis=1).prod(axis=1)
        terms.append(-u[:, k] * kernel.profile_slope(u[:, k]) * others)
    if isinstance(kernel.length_scale, tuple):
        yield from terms
    else:
        yield np.sum(terms, axis=0)
