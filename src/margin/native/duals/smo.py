"""Pairs of multipliers on a working set, and the scores that follow from them."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


class BlockResult(NamedTuple):
    """What happened on a working set.

    Parameters
    ----------
    steps : pairs optimised.
    before, after : largest violation of the optimality conditions within the set.
    flattest : smallest curvature met; below zero the kernel is not positive semi-definite.
    """

    steps: int
    before: float
    after: float
    flattest: float


def solve_block(
    K: NDArray[Any],
    beta: Floats,
    gradient: Floats,
    lower: Floats,
    upper: Floats,
    split: int,
    tol: float,
    reduction: float,
    limit: int,
) -> BlockResult:
    r"""Minimise :math:`\tfrac12 b^\top K b - t^\top b` over a box, sums of two segments fixed.

    ``beta`` and its ``gradient`` :math:`K b - t` are changed in place. The segments are the first
    ``split`` variables and the others. Pairs are the most violating variable and the partner of
    the largest second-order decrease; they end when the violation is at most ``tol`` or
    ``reduction`` times that at entry, or after ``limit`` pairs.
    """
    block = _native.smo_solve(K, beta, gradient, lower, upper, split, tol, reduction, limit)
    return BlockResult(*block)


def add_scores(
    rows: NDArray[Any], slots: Indices, delta: Floats, scores: Floats, n_threads: int
) -> None:
    """Add ``delta @ rows[slots, :len(scores)]`` to ``scores``, in double precision."""
    _native.smo_scores(rows, slots, delta, scores, n_threads)


def gather(rows: NDArray[Any], slots: Indices, columns: Indices, n_threads: int) -> NDArray[Any]:
    """Block ``rows[slots][:, columns]`` as a new array."""
    out = np.empty((len(slots), len(columns)), dtype=rows.dtype)
    _native.smo_gather(rows, slots, columns, out, n_threads)
    return out


def keep(rows: NDArray[Any], slots: Indices, cache: NDArray[Any], n_threads: int) -> None:
    """``cache[slots] = rows`` by several threads; no slot twice."""
    _native.smo_keep(rows, slots, cache, n_threads)
