"""What a ridge regression on features leaves of other features, block by block of rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import block_diag, cho_factor, cho_solve

from margin.core import threads
from margin.core.types import Floats
from margin.native.dependence.products import pair_squares
from margin.search.structure.dependence._random_features import Features, Polynomials, condensed

_BLOCK = 2048
_ROUNDING = 2.0**-51  # of a sum of squares of features, which is one per row at most

Part = Features | Polynomials


def residual_features(
    variables: tuple[Features, Features], condition: Features | None, ridge: float
) -> tuple[Floats, Floats]:
    """Centred features less what a ridge regression on those of the condition explains.

    Parameters
    ----------
    variables : pair of Features
    condition : Features, optional
    ridge : float
        Regularisation of the regression per row.

    Returns
    -------
    first, second : ndarray of shape (n_features, n_rows)

    Notes
    -----
    Features are computed twice and never kept, but for the residuals: memory is that of a block.
    """
    own = block_diag(*(part.mix for part in variables))
    given = () if condition is None else (condensed(condition),)
    parts, n_given = (*given, *variables), sum(len(part) for part in given)
    n = variables[0].columns.shape[1]
    means, inner = _moments(parts, n)
    weights = np.empty((len(own), 0))
    if given:
        mix = given[0].mix
        least = ridge + _ROUNDING * len(mix)
        within = mix @ inner[:n_given, :n_given] @ mix.T + least * n * np.eye(len(mix))
        across = mix @ inner[:n_given, n_given:] @ own.T
        weights = cho_solve(cho_factor(within), across).T @ mix
    coefficients = np.hstack([-weights, own])
    offset = coefficients @ means
    residuals = np.empty((len(own), n))
    for rows, values in _blocks(parts, n):
        residuals[:, rows] = coefficients @ values
        residuals[:, rows] -= offset[:, None]
    return residuals[: len(variables[0])], residuals[len(variables[0]) :]


def _moments(parts: tuple[Part, ...], n: int) -> tuple[Floats, Floats]:
    """Means of all functions, and their inner products around them."""
    total = sum(len(part) for part in parts)
    sums, inner = np.zeros(total), np.zeros((total, total))
    for _, values in _blocks(parts, n):
        sums += values.sum(axis=1)
        inner += values @ values.T
    means = sums / n
    return means, inner - n * means * means[:, None]


def _blocks(parts: tuple[Part, ...], n: int) -> Iterator[tuple[slice, Floats]]:
    """Rows, and the functions of all parts one below the other, in memory that is used again."""
    total = sum(len(part) for part in parts)
    room = np.empty(total * min(n, _BLOCK))
    for first in range(0, n, _BLOCK):
        rows = slice(first, min(n, first + _BLOCK))
        values, at = room[: total * (rows.stop - first)].reshape(total, -1), 0
        for part in parts:
            part.write(rows, values[at : at + len(part)])
            at += len(part)
        yield rows, values


def feature_moments(A: Floats, B: Floats) -> tuple[float, float, float]:
    r"""Sum, trace and sum of squares of :math:`(A^\top A) \circ (B^\top B)`.

    Parameters
    ----------
    A, B : ndarray of shape (n_features, n_rows)

    Examples
    --------
    >>> feature_moments(np.array([[1.0, 2.0]]), np.array([[1.0, -1.0]]))
    (1.0, 5.0, 25.0)
    """
    n = A.shape[1]
    value = float(np.square(A @ B.T).sum())
    trace = float(np.square(A).sum(axis=0) @ np.square(B).sum(axis=0))
    if len(A) * len(B) > n:  # the smaller side of the products
        return value, trace, float(np.square((A.T @ A) * (B.T @ B)).sum())
    return value, trace, pair_squares(A, B, threads.count())
