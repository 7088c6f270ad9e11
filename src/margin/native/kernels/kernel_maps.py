"""Matrices of radial kernels and weighted sums of their derivatives."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[Any]

# Functions of the squared distance s (r is its root, a the shape parameter).
SQUARED = 0  # s
GAUSSIAN = 1  # exp(-s / 2)
EXPONENTIAL = 2  # exp(-r)
THREE_HALVES = 3  # (1 + √3 r) exp(-√3 r)
FIVE_HALVES = 4  # (1 + √5 r + 5 s / 3) exp(-√5 r)
GAMMA_EXPONENTIAL = 5  # exp(-r^a)
RATIONAL_QUADRATIC = 6  # (1 + s / 2a)^-a
CITY_BLOCK = 7  # exp(-sum of absolute differences)

VALUE, SLOPE, SHAPE = 0, 1, 2  # f(s), -2 f'(s), df / d log a


def direct(
    kind: int,
    order: int,
    a: float,
    X: Floats,
    Z: Floats | None,
    n_threads: int,
) -> Floats:
    """Function of the distances of the C-ordered rows, from their differences."""
    symmetric = Z is None
    other = X if Z is None else Z
    out = np.empty((X.shape[0], other.shape[0]), dtype=X.dtype)
    _native.radial_direct(kind, order, a, X, other, out, symmetric, n_threads)
    return out


def from_products(
    kind: int,
    order: int,
    a: float,
    tables: tuple[Floats, Floats] | None,
    norms: tuple[Floats, Floats],
    products: Floats,
    symmetric: bool,
    n_threads: int,
) -> Floats:
    """Function of the distances, written over the scalar products.

    Where the squared norms cancel the distance is taken from the rows in ``tables``, if given.
    """
    X, Z = tables if tables is not None else (None, None)
    _native.radial_products(
        kind, order, a, X, Z, norms[0], norms[1], products, symmetric, n_threads
    )
    return products


def gradient(
    kind: int,
    a: float,
    X: Floats,
    weight: Floats,
    shape: bool,
    n_threads: int,
    total: bool = True,
) -> NDArray[np.float64]:
    """``sum_ij W_ij slope_ij (x_ik - x_jk)²`` for every column, the parameter's sum, the kernel's.

    The last two are zero where ``shape`` and ``total`` do not ask for them.
    """
    out = np.empty(X.shape[1] + 2)
    _native.radial_gradient(kind, a, X, weight, out, shape, total, n_threads)
    return out


def cross_gradient(
    kind: int,
    a: float,
    X: Floats,
    Z: Floats,
    weight: Floats,
    shape: bool,
    n_threads: int,
    pulls: bool = True,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same sums between two tables, and pulls on the rows.

    These are ``sum_j W_ij slope_ij (z_jk - x_ik)``; there are no rows without ``pulls``.
    """
    out, points = np.empty(X.shape[1] + 2), np.empty(X.shape if pulls else (0, X.shape[1]))
    _native.radial_cross_gradient(kind, a, X, Z, weight, out, points, shape, n_threads)
    return out, points
