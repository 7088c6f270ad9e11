"""Spectra of scatter matrices of few rows, in the space that the rows span."""

import numpy as np

from margin.core.types import Array, Floats, Places
from margin.linalg import eigh, svd


def centred_rows(
    X: Array, code: Places, means: Floats, weight: Floats | None, *, complete: bool
) -> Floats | None:
    r"""Rows :math:`\sqrt{s_i}\, (x_i - \bar x_{k_i})`, whose products are the scatter matrix.

    Only where they say more than the matrix: few rows of many columns, none of them with holes.

    Parameters
    ----------
    X, code, means, weight
        Rows, their classes, the means of these, weights of the rows.
    complete : bool
        Whether no value is missing.
    """
    if not complete or 2 * X.shape[0] > X.shape[1]:
        return None
    rows = np.asarray(X - means[code], dtype=np.float64)
    return rows if weight is None else np.sqrt(weight)[:, None] * rows


def spectrum(
    matrix: Floats | None, scale: Floats, rows: Floats | None = None
) -> tuple[Floats, Floats]:
    r"""Eigenvalues, smallest first, and vectors of :math:`S_{ij} / (c_i c_j)`.

    Of a matrix :math:`S = B^\top B` whose few rows :math:`B` are known, only those directions that
    the rows span, by the singular values of :math:`B`: :math:`O(n^2 p)` operations instead of
    :math:`O(p^3)`. In all others the eigenvalue is zero. The matrix is needed without rows only.

    Examples
    --------
    >>> rows = np.array([[3.0, 4.0, 0.0]])
    >>> spectrum(rows.T @ rows, np.ones(3), rows)[0]
    array([25.])
    >>> spectrum(rows.T @ rows, np.ones(3))[0].round(12)
    array([ 0.,  0., 25.])
    """
    if rows is None:
        assert matrix is not None
        values, vectors = eigh(matrix / (scale[:, None] * scale))
        return values, vectors
    _, sizes, axes = svd(rows / scale)
    return sizes[::-1] ** 2, np.ascontiguousarray(axes[::-1].T)
