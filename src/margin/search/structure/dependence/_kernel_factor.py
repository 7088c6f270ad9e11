"""Gram matrices of Gaussian kernels as products of few features, exact to rounding."""

from __future__ import annotations

import numpy as np

from margin.core.types import Floats
from margin.native.dependence.features import median_distance

_WIDTH_ROWS = 2000
_BLOCK = 512


def median_width(X: Floats, n_rows: int = _WIDTH_ROWS) -> float:
    """Median distance of different rows, of at most so many that lie evenly in the table."""
    return median_distance(X[:: -(-len(X) // n_rows)]) or 1.0


def gaussian_factor(X: Floats, width: float, *, most: int, tol: float = 1e-14) -> Floats | None:
    r"""Features :math:`F` with :math:`F F^\top = K` to rounding, or None where so many do not do.

    Pivoted Cholesky: the spectrum of a smooth kernel of few columns falls so fast that a hundred
    features leave nothing of a thousand rows.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    width : float
        :math:`k(x, z) = \exp(-\|x - z\|^2 / 2 w^2)`.
    most : int
        Largest number of features.
    tol : float
        Largest part of a diagonal entry, which is one, that may be left.

    Notes
    -----
    O(n m^2) time and O(n m) memory for m features.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 500)[:, None]
    >>> F = gaussian_factor(X, 0.7, most=100)
    >>> F.shape[1] < 30, bool(abs(F @ F.T - np.exp(-((X - X.T) ** 2) / 0.98)).max() < 1e-12)
    (True, True)
    """
    rows = X / (np.sqrt(2.0) * width)
    factor = np.empty((most, len(rows)))
    residual = np.ones(len(rows))
    for step in range(most + 1):
        worst = int(np.argmax(residual))
        if residual[worst] <= tol:
            return np.ascontiguousarray(factor[:step].T)
        if step == most:
            break
        column = np.exp(-np.square(rows - rows[worst]).sum(axis=1))
        column -= factor[:step, worst] @ factor[:step]
        factor[step] = column / np.sqrt(residual[worst])
        residual -= factor[step] ** 2
        residual[worst] = 0.0
    return None


def product_moments(F: Floats, G: Floats) -> tuple[float, float, float]:
    r"""Sum, trace and sum of squares of :math:`A \circ B` for :math:`A = F F^\top, B = G G^\top`.

    Neither matrix is ever whole: blocks of rows on and above the diagonal.
    """
    squares = 0.0
    for first in range(0, len(F), _BLOCK):
        own = slice(first, first + _BLOCK)
        inner = (F[own] @ F[first:].T) * (G[own] @ G[first:].T)
        size = len(inner)
        corner = float(np.square(inner[:, :size]).sum())
        squares += 2.0 * float(np.vdot(inner, inner)) - corner
    trace = float((np.square(F).sum(axis=1) * np.square(G).sum(axis=1)).sum())
    return float(np.square(F.T @ G).sum()), trace, squares
