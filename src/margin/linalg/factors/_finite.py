"""Factorisations by iterations that infinite entries would keep going for ever."""

import numpy as np

from margin.core import check
from margin.core.types import Floats

_BEYOND = "entries of a matrix beyond the largest number"


def svd(A: Floats) -> tuple[Floats, Floats, Floats]:
    r"""Singular values with their vectors, :math:`A = U\, \mathrm{diag}(d)\, V^\top`.

    LAPACK never returns from some matrices with infinite entries; they are refused here.

    Raises
    ------
    numpy.linalg.LinAlgError
        For entries that are infinite or NaN.

    Examples
    --------
    >>> import numpy as np
    >>> svd(np.diag([3.0, 2.0]))[1]
    array([3., 2.])
    >>> svd(np.array([[np.inf, 1.0]]))
    Traceback (most recent call last):
    numpy.linalg.LinAlgError: entries of a matrix beyond the largest number
    """
    left, values, right = np.linalg.svd(_finite(A), full_matrices=False)
    return left, values, right


def eigh(A: Floats) -> tuple[Floats, Floats]:
    r"""Eigenvalues of a symmetric matrix, or of many, smallest first, with their vectors.

    Refuses as :func:`svd` does. For small matrices at a fraction of the price of
    :func:`scipy.linalg.eigh`.

    Examples
    --------
    >>> import numpy as np
    >>> eigh(np.diag([3.0, 2.0]))[0]
    array([2., 3.])
    >>> eigh(np.array([[np.inf, 1.0], [1.0, 0.0]]))
    Traceback (most recent call last):
    numpy.linalg.LinAlgError: entries of a matrix beyond the largest number
    """
    values, vectors = np.linalg.eigh(_finite(A))
    return values, vectors


def singular_values(A: Floats) -> Floats:
    """Singular values, largest first; as :func:`svd`.

    Examples
    --------
    >>> import numpy as np
    >>> singular_values(np.ones((2, 2))).round(6)
    array([2., 0.])
    """
    return np.asarray(np.linalg.svd(_finite(A), compute_uv=False))


def lstsq(A: Floats, b: Floats, rcond: float | None = None) -> Floats:
    r"""The shortest :math:`x` of least :math:`\|A x - b\|`; refuses as :func:`svd` does.

    Parameters
    ----------
    A : ndarray of shape (n, p)
    b : ndarray of shape (n,) or (n, k)
    rcond : float, optional
        Singular values below this part of the largest count as zero; by default the rounding of
        the matrix.

    Examples
    --------
    >>> import numpy as np
    >>> lstsq(np.array([[1.0, 1.0]]), np.array([2.0])).round(6)
    array([1., 1.])
    """
    return np.asarray(np.linalg.lstsq(_finite(A), _finite(b), rcond=rcond)[0])


def _finite(A: Floats) -> Floats:
    if not check.all_finite(A):
        raise np.linalg.LinAlgError(_BEYOND)
    return A
