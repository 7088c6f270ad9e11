"""Canonical pairs of two centred tables by orthogonal factorisations."""

from dataclasses import dataclass

import numpy as np

from margin import linalg
from margin.core.types import Floats


@dataclass(frozen=True)
class CanonicalPairs:
    """Correlations, largest first, and the directions that reach them, in columns.

    Directions beyond the rank that the tables share are zero, as are their correlations.
    """

    correlations: Floats
    x_directions: Floats
    y_directions: Floats
    rank: int


def canonical_pairs(
    X: Floats, Y: Floats, total: float, n_components: int, alpha: float = 0.0
) -> CanonicalPairs:
    r"""Directions of two centred tables whose projections correlate most (decomposition.11).

    .. math:: \max_{a, b} \; a^\top C_{xy} b \quad \text{s.t.} \quad a^\top (C_{xx} + \alpha I) a =
              b^\top (C_{yy} + \alpha I) b = 1

    Each table is written as :math:`U S V^\top`; the correlations are the singular values of
    :math:`D_x U_x^\top U_y D_y` with :math:`D = S (S^2 + n \alpha)^{-1/2}`. No covariance is formed
    or inverted, and directions without variance are left out.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Centred; rows times the root of their weight.
    Y : ndarray of shape (n, q)
    total : float
        Sum of the weights, which divides the scatter.
    n_components : int
        How many pairs.
    alpha : float
        Variance added to every direction.

    Notes
    -----
    :math:`O(n (p + q)^2)`, by one QR factorisation where the rows are many.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    >>> canonical_pairs(X, X[:, :1] + X[:, 1:], 4.0, 1).correlations.round(6)
    array([1.])
    """
    p, q = X.shape[1], Y.shape[1]
    if len(X) > p + q:
        # The triangular factor has the scalar products of all columns.
        both = np.asarray(np.linalg.qr(np.hstack([X, Y]), mode="r"))
        X, Y = both[:, :p], both[:, p:]
    left, a_map = _whitened(X, total, alpha)
    right, b_map = _whitened(Y, total, alpha)
    turned, values, other = linalg.svd(left.T @ right)
    k = min(n_components, len(values))
    a, b = np.zeros((p, n_components)), np.zeros((q, n_components))
    a[:, :k], b[:, :k] = a_map @ turned[:, :k], b_map @ other[:k].T
    correlations = np.zeros(n_components)
    correlations[:k] = np.minimum(values[:k], 1.0)
    signs = np.ones(n_components)
    if k:
        largest = a[np.abs(a[:, :k]).argmax(axis=0), np.arange(k)]
        signs[:k] = np.where(largest < 0, -1.0, 1.0)
    return CanonicalPairs(correlations, a * signs, b * signs, k)


def _whitened(X: Floats, total: float, alpha: float) -> tuple[Floats, Floats]:
    """Orthogonal columns of length at most one, and the map that made them unit variance."""
    U, S, Vt = linalg.svd(X)
    kept = max(X.shape) * np.finfo(np.float64).eps * S.max(initial=0.0) < S
    U, S, Vt = U[:, kept], S[kept], Vt[kept]
    size = np.sqrt(S**2 + total * alpha)
    return U * (S / size), Vt.T * (np.sqrt(total) / size)
