"""What a ridge regression on features leaves of other features, block by block of rows."""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag, cho_factor, cho_solve

from margin.core import threads
from margin.core.types import Floats
from margin.native.dependence.features import (
    Functions,
    function_combinations,
    function_moments,
)
from margin.native.dependence.products import pair_squares
from margin.search.structure.dependence._random_features import Features, condensed

_ROUNDING = 2.0**-51  # of a sum of squares of features, which is one per row at most


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
    functions = _together([part.functions for part in (*given, *variables)])
    n, n_given = functions.columns.shape[1], sum(len(part.functions) for part in given)
    sums, inner = function_moments(functions, threads.count())
    inner -= sums * (sums[:, None] / n)
    weights = np.empty((len(own), 0))
    if given:
        mix = given[0].mix
        least = ridge + _ROUNDING * len(mix)
        within = mix @ inner[:n_given, :n_given] @ mix.T + least * n * np.eye(len(mix))
        across = mix @ inner[:n_given, n_given:] @ own.T
        weights = cho_solve(cho_factor(within), across).T @ mix
    coefficients = np.hstack([-weights, own])
    offset = coefficients @ (sums / n)
    residuals = function_combinations(functions, coefficients, offset, threads.count())
    return residuals[: len(variables[0])], residuals[len(variables[0]) :]


def _together(parts: list[Functions]) -> Functions:
    """All functions one below the other; of polynomials there may be those of the first part."""
    return Functions(
        parts[0].argument, parts[0].n_polynomials, np.vstack([part.columns for part in parts]),
        block_diag(*(part.turns for part in parts)),
        np.concatenate([part.phase for part in parts]),
        np.concatenate([part.origin for part in parts]),
    )  # fmt: skip


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
