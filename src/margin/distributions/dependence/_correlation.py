"""Correlation matrices, by values or by ranks, of tables with gaps."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import kendalltau, rankdata

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers


def correlation_matrix(
    X: ArrayLike, method: Literal["pearson", "spearman", "kendall"] = "pearson"
) -> Floats:
    r"""Correlations of all pairs of columns, each from the rows that have both (distributions.18).

    Pearson's :math:`\mathrm{Cov}(x, y)/(\sigma_x \sigma_y)` measures how straight a relation is,
    Spearman's is Pearson's of the ranks, Kendall's :math:`\tau_b` counts pairs of rows in the same
    order less those in the opposite: both see only whether it is monotone.

    Parameters
    ----------
    X : array-like of shape (n, d)
        NaN means unobserved.
    method : {"pearson", "spearman", "kendall"}

    Returns
    -------
    ndarray of shape (d, d)
        NaN where a column is constant among the rows of a pair.

    Notes
    -----
    A test of independence for two columns is in :func:`scipy.stats.pearsonr` and its kin. With gaps
    the matrix need not be positive definite.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([1.0, 2.0, 3.0, 4.0])
    >>> X = np.column_stack([x, np.exp(x)])
    >>> [float(correlation_matrix(X, m)[0, 1].round(6)) for m in ("pearson", "spearman", "kendall")]
    [0.926942, 1.0, 1.0]
    """
    owner = "correlation_matrix"
    rows = numbers(owner, "X", X)
    if rows.ndim != 2 or np.isinf(rows).any():
        raise check.fail(owner, "X", "a table of finite numbers or NaN", f"shape {rows.shape}")
    if method not in ("pearson", "spearman", "kendall"):
        raise check.fail(owner, "method", "one of 'pearson', 'spearman', 'kendall'", method)
    d = rows.shape[1]
    matrix = np.full((d, d), np.nan)
    for i in range(d):
        for j in range(i, d):
            both = ~np.isnan(rows[:, i]) & ~np.isnan(rows[:, j])
            value = _pair(rows[both, i], rows[both, j], method)
            matrix[i, j] = matrix[j, i] = value
    return matrix


def _pair(x: Floats, y: Floats, method: str) -> float:
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    if method == "kendall":
        return float(kendalltau(x, y).statistic)
    if method == "spearman":
        x, y = rankdata(x), rankdata(y)
    a, b = x - x.mean(), y - y.mean()
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))
