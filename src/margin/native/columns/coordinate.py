"""Coordinate descent on a quadratic with an L1 and an L2 penalty."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Index = NDArray[np.int64]


class Sweeps(NamedTuple):
    """What a descent over columns reports.

    Attributes
    ----------
    sweeps : int
        Number of sweeps made.
    last, first : float
        Largest violation of an optimality condition met by the last and the first full sweep.
    shift : float
        Step to add to the intercept.
    """

    sweeps: int
    last: float
    first: float
    shift: float


def gram_descent(
    gram: Floats,
    q: Floats,
    w: Floats,
    slope: Floats,
    energy: float,
    l1: float,
    l2: float,
    *,
    positive: bool,
    max_epochs: int,
    gap_tol: float,
    slope_tol: float,
) -> tuple[int, float]:
    r"""Minimise :math:`\tfrac12 w^\top A w - q^\top w + l_1 \|w\|_1 + \tfrac{l_2}2 \|w\|^2`.

    Changes ``w`` in place and fills ``slope`` with :math:`A w - q` there, where :math:`A` is the
    leading block of ``gram``. Stops when no optimality condition is broken by more than
    ``slope_tol`` or the duality gap, for which ``energy`` is :math:`y^\top y`, is at most
    ``gap_tol`` (never if negative). Returns the number of sweeps and the largest violation left.
    """
    epochs, violation = _native.gram_descent(
        gram, q, w, slope, energy, l1, l2, positive, max_epochs, gap_tol, slope_tol
    )
    return int(epochs), float(violation)


def gram_path(
    gram: Floats,
    q: Floats,
    energy: float,
    l1: Floats,
    l2: Floats,
    *,
    positive: bool,
    max_epochs: int,
    gap_tol: float,
    slope_tol: float,
) -> tuple[Floats, Floats, Index]:
    r"""Minimise as :func:`gram_descent` for one pair of strengths after the other.

    Each minimum starts from where the last two lead. Returns the coefficients (one row for each
    pair), the duality gaps and the sweeps made.
    """
    coefs, gaps = np.zeros((len(l1), len(q))), np.zeros(len(l1))
    epochs = _native.gram_path(
        gram, q, coefs, gaps, energy, l1, l2, positive, max_epochs, gap_tol, slope_tol
    )
    return coefs, gaps, np.array(epochs, dtype=np.int64)


def column_descent(
    columns: Any,
    index: Index,
    mean: Floats | None,
    curvature: Floats,
    h: Floats,
    w: Floats,
    v: Floats,
    l1: float,
    l2: float,
    *,
    positive: bool,
    max_epochs: int,
    tol: float,
) -> Sweeps:
    r"""Minimise a quadratic model of curvature :math:`X^\top \mathrm{diag}(h) X` by its columns.

    ``v`` is the gradient of the smooth part in the predictions; it and ``w`` (one entry per member
    of ``index``) change in place. With ``mean`` (weighted means of the columns) an intercept is
    eliminated exactly, without centring the columns; ``curvature`` is then of centred columns.
    ``columns`` is a CSC matrix, or a dense array that holds one column per row.
    """
    rows = columns.shape[1] if isinstance(columns, np.ndarray) else columns.shape[0]
    if rows != len(v):
        raise ValueError(f"column_descent: v must be of length {rows}, got {len(v)}")
    if isinstance(columns, np.ndarray):
        sweeps = _native.dense_descent(
            columns, index, mean, curvature, h, w, v, l1, l2, positive, max_epochs, tol
        )
    else:
        sweeps = _native.sparse_descent(
            columns.indptr, columns.indices, columns.data, index, mean, curvature, h, w, v,
            l1, l2, positive, max_epochs, tol,
        )  # fmt: skip
    return Sweeps(*sweeps)


def block_descent(
    columns: Any,
    curvature: Floats,
    w: Floats,
    residual: Floats,
    scale: float,
    l1: float,
    l2: float,
    *,
    max_epochs: int,
    tol: float,
) -> int:
    r"""Minimise :math:`\tfrac s2 \|Y - XW\|^2 + l_1 \sum_j \|w_j\|_2 + \tfrac{l_2}2 \|W\|^2`.

    ``w`` (features by targets) and ``residual`` (:math:`Y - XW`, targets by rows) change in place;
    ``curvature`` holds :math:`s\|x_j\|^2`. ``columns`` is a CSC matrix, or a dense array that holds
    one column per row. Stops when a sweep over everything finds no optimality condition broken by
    more than ``tol``; returns the sweeps made.
    """
    rows = columns.shape[1] if isinstance(columns, np.ndarray) else columns.shape[0]
    if rows != residual.shape[1]:
        raise ValueError(f"block_descent: residual must have {rows} columns, got {residual.shape}")
    if isinstance(columns, np.ndarray):
        sweeps = _native.dense_blocks(
            columns, curvature, w, residual, scale, l1, l2, max_epochs, tol
        )
    else:
        sweeps = _native.sparse_blocks(
            columns.indptr, columns.indices, columns.data, curvature, w, residual, scale, l1, l2,
            max_epochs, tol,
        )  # fmt: skip
    return int(sweeps)
