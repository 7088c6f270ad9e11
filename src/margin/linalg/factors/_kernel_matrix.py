"""Factorisation of a kernel matrix in its own memory, with an explanation where it breaks down."""

from typing import Any

import numpy as np
from scipy.linalg import lapack

from margin.core import FitError, threads
from margin.core.types import Floats
from margin.linalg.factors._cholesky import Cholesky, cholesky
from margin.native.rows.table_sum import table_sum

_ALIKE = 1e-8
_TILE = 128
_ABOVE = np.triu(np.ones((_TILE, _TILE), dtype=bool), 1)


def kernel_cholesky(K: Floats, what: Any, *, clean: bool = True) -> Cholesky:
    r"""Cholesky factor of a kernel matrix; the repair or refusal names kernel and rows.

    The matrix is overwritten: LAPACK works in place. Only if a pivot is lost in rounding errors
    does the jitter policy of :mod:`margin.linalg` come into play.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Symmetric, in C or Fortran order.
    what : object
        The kernel, for messages.
    clean : bool
        Whether to write zeros above the diagonal; only solves can do without.

    Examples
    --------
    >>> import numpy as np
    >>> kernel_cholesky(np.array([[2.0, 1.0], [1.0, 2.0]]), "k").log_det
    1.0986122886681096
    >>> kernel_cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]), "k")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    margin.core.FitError: linalg: kernel matrix of k must be positive definite, ...
    """
    if not np.isfinite(table_sum(K, threads.count())):
        raise FitError(f"kernel matrix of {what} must be finite, got NaN or infinity")
    n = len(K)
    diagonal = np.diagonal(K).copy()
    # LAPACK reads and writes the lower triangle only: the upper one keeps the matrix.
    work = K.T if K.flags.c_contiguous else K
    lower, info = lapack.dpotrf(work, lower=1, clean=0, overwrite_a=1)
    lost = n * np.finfo(np.float64).eps * diagonal
    if info == 0 and not np.any(np.diagonal(lower) ** 2 <= lost):
        return Cholesky(np.tril(lower) if clean else lower, 0.0, "kernel matrix")
    whole = np.triu(lower, 1)
    whole += whole.T
    np.fill_diagonal(whole, diagonal)
    return _repaired(whole, what)


def _repaired(K: Floats, what: Any) -> Cholesky:
    name, twins = f"kernel matrix of {what}", nearest(K)
    try:
        repaired = cholesky(K, name=name)
    except FitError as error:
        hint = "; ".join(filter(None, (str(error), twins, "raise alpha or add a White kernel")))
        raise FitError(hint) from None
    return Cholesky(
        repaired.lower, repaired.jitter, f"{name}{twins and ' ('}{twins}{twins and ')'}"
    )


def nearest(K: Floats) -> str:
    """Which two rows are alike, in words; empty where no two are.

    Examples
    --------
    >>> import numpy as np
    >>> nearest(np.array([[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]))
    'rows 0 and 1 are alike'
    """
    if len(K) < 2 or np.diagonal(K).min() <= 0:
        return ""
    size = np.sqrt(np.diagonal(K))
    alike = np.abs(K) / size / size[:, None]
    np.fill_diagonal(alike, 0.0)
    i, j = np.unravel_index(int(np.argmax(alike)), K.shape)
    if alike[i, j] < 1.0 - _ALIKE:
        return ""
    return f"rows {min(i, j)} and {max(i, j)} are alike"


def mirrored(lower: Floats) -> Floats:
    """The symmetric matrix of a lower triangle, written into the rest of the array.

    Examples
    --------
    >>> import numpy as np
    >>> mirrored(np.array([[1.0, 9.0], [2.0, 3.0]]))
    array([[1., 2.],
           [2., 3.]])
    """
    n = len(lower)
    for start in range(0, n, _TILE):
        stop = min(start + _TILE, n)
        tile = lower[start:stop, start:stop]
        np.copyto(tile, tile.T, where=_ABOVE[: stop - start, : stop - start])
        lower[start:stop, stop:] = lower[stop:, start:stop].T
    return lower
