"""How alike two kernels are."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import check
from margin.linalg import double_centred


def alignment(K: ArrayLike, L: ArrayLike, *, centred: bool = False) -> float:
    r"""Cosine of the angle between two kernel matrices (kernels.32).

    .. math:: A(K, L) = \frac{\langle K, L \rangle_F}{\|K\|_F\, \|L\|_F}.

    With ``centred`` both are centred in feature space first: otherwise a common mean makes all
    kernels look alike.

    Parameters
    ----------
    K, L : array-like of shape (n, n)
        Symmetric kernel matrices of the same objects.
    centred : bool
        Whether to centre both, :math:`K \leftarrow H K H`.

    Returns
    -------
    float
        Between -1 and 1, between 0 and 1 for positive semi-definite matrices.

    Examples
    --------
    >>> round(alignment([[1.0, 0.5], [0.5, 1.0]], [[1.0, -1.0], [-1.0, 1.0]]), 6)
    0.316228
    """
    left, right = _matrix(K, "K", centred), _matrix(L, "L", centred)
    if left.shape != right.shape:
        raise check.fail("alignment", "L", f"of shape {left.shape} as K is", right.shape)
    norms = float(np.linalg.norm(left)) * float(np.linalg.norm(right))
    return float(np.vdot(left, right)) / norms if norms > 0 else 0.0


def target_alignment(K: ArrayLike, y: Any, *, centred: bool = True) -> float:
    r"""Alignment of a kernel matrix with the ideal one of a target (kernels.32).

    The ideal matrix is :math:`y y^\top` for numbers and :math:`[y_i = y_j]` for labels.

    Examples
    --------
    >>> round(target_alignment([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0]), 6)
    1.0
    """
    return alignment(K, ideal_matrix(y), centred=centred)


def ideal_matrix(y: Any) -> NDArray[np.float64]:
    """Kernel matrix that knows the target: products of numbers, equality of labels.

    Examples
    --------
    >>> ideal_matrix(["a", "b", "a"])
    array([[1., 0., 1.],
           [0., 1., 0.],
           [1., 0., 1.]])
    """
    target = np.asarray(y)
    if target.ndim != 1:
        raise check.fail("alignment", "y", "one value per object", f"shape {target.shape}")
    if target.dtype.kind == "f":
        return np.asarray(np.multiply.outer(target, target), dtype=np.float64)
    return np.asarray(np.equal.outer(target, target), dtype=np.float64)


def _matrix(K: ArrayLike, name: str, centred: bool) -> NDArray[np.float64]:
    matrix = np.asarray(K, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise check.fail("alignment", name, "a square matrix", f"shape {matrix.shape}")
    return np.asarray(double_centred(matrix)) if centred else matrix
