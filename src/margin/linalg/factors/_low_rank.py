"""A factor that follows a low-rank change of its matrix."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg._matrix import matrix, right_side, vector
from margin.linalg.factors._cholesky import Cholesky, cholesky


def update(factor: Cholesky, x: ArrayLike) -> Cholesky:
    r"""Factor of :math:`L L^\top + x x^\top` from the factor ``L``, in :math:`O(n^2)` (linalg.12).

    One plane rotation per column removes ``x``; nothing is refactored.

    Parameters
    ----------
    factor : Cholesky
        Factor of the matrix before the change; left as it is.
    x : array-like of shape (n,)
        Direction that is added.

    Examples
    --------
    >>> import numpy as np
    >>> update(cholesky(np.eye(2)), [0.0, np.sqrt(3.0)]).lower
    array([[1., 0.],
           [0., 2.]])
    """
    lower = np.array(factor.lower, order="F")
    x = vector(x, len(lower), "update").copy()
    for k in range(len(lower)):
        pivot = np.hypot(lower[k, k], x[k])
        cosine, sine = pivot / lower[k, k], x[k] / lower[k, k]
        lower[k, k] = pivot
        lower[k + 1 :, k] = (lower[k + 1 :, k] + sine * x[k + 1 :]) / cosine
        x[k + 1 :] = cosine * x[k + 1 :] - sine * lower[k + 1 :, k]
    return Cholesky(lower, factor.jitter, factor.name)


def downdate(factor: Cholesky, x: ArrayLike) -> Cholesky:
    r"""Factor of :math:`L L^\top - x x^\top` from the factor ``L``, in :math:`O(n^2)` (linalg.12).

    The result is positive definite iff :math:`\|L^{-1} x\| < 1`; otherwise the downdate is refused.

    Parameters
    ----------
    factor : Cholesky
        Factor of the matrix before the change; left as it is.
    x : array-like of shape (n,)
        Direction that is taken away.

    Raises
    ------
    FitError
        What remains is not positive definite at working precision.

    Examples
    --------
    >>> import numpy as np
    >>> downdate(cholesky(np.diag([1.0, 4.0])), [0.0, np.sqrt(3.0)]).lower.round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    lower = np.array(factor.lower, order="F")
    x = vector(x, len(lower), "downdate").copy()
    remains = 1.0 - float(factor.quadratic(x))
    if remains <= max(len(lower), 1) * np.finfo(np.float64).eps:
        raise FitError(
            f"linalg: {factor.name} must stay positive definite, got a downdate that leaves "
            f"{remains:.3g} of the determinant"
        )
    for k in range(len(lower)):
        old = lower[k, k]
        # The factored difference of squares keeps the digits that old² - x² would lose.
        pivot = np.sqrt(max((old - x[k]) * (old + x[k]), np.finfo(np.float64).tiny))
        cosine, sine = pivot / old, x[k] / old
        lower[k, k] = pivot
        lower[k + 1 :, k] = (lower[k + 1 :, k] - sine * x[k + 1 :]) / cosine
        x[k + 1 :] = cosine * x[k + 1 :] - sine * lower[k + 1 :, k]
    return Cholesky(lower, factor.jitter, factor.name)


@dataclass(frozen=True, eq=False, repr=False)
class Woodbury:
    r"""Solver for a cheap matrix plus one of low rank, :math:`A + U U^\top` (linalg.12).

    With :math:`A = L L^\top`, :math:`W = L^{-1} U` and the small :math:`M = I + W^\top W`,

    .. math:: (A + U U^\top)^{-1} = L^{-\top} (I - W M^{-1} W^\top) L^{-1}, \qquad
              \det(A + U U^\top) = \det A \cdot \det M,

    the Woodbury identity and the matrix determinant lemma. Made by :func:`woodbury`.

    Parameters
    ----------
    base : Cholesky or ndarray of shape (n,)
        Factor ``L`` of ``A``, or the square root of a diagonal ``A``.
    half : ndarray of shape (n, k)
        ``W``.
    small : Cholesky
        Factor of ``M``.
    """

    base: Cholesky | Floats
    half: Floats
    small: Cholesky

    def solve(self, b: ArrayLike) -> Floats:
        r"""Solution of :math:`(A + U U^\top) x = b`, for one right-hand side or several."""
        b = right_side(b, len(self.half))
        white = _half_solve(self.base, b)
        inner = self.small.solve(self.half.T @ white)
        return _half_solve(self.base, white - self.half @ inner, transpose=True)

    @property
    def log_det(self) -> float:
        r""":math:`\log\det(A + U U^\top)`."""
        if isinstance(self.base, Cholesky):
            return self.base.log_det + self.small.log_det
        return 2.0 * float(np.sum(np.log(self.base))) + self.small.log_det

    def __repr__(self) -> str:
        n, k = self.half.shape
        return f"Woodbury(n={n}, rank={k})"


def woodbury(base: Cholesky | ArrayLike, U: ArrayLike) -> Woodbury:
    r"""Solver for :math:`A + U U^\top` that never forms an n by n matrix (linalg.12).

    Parameters
    ----------
    base : Cholesky or array-like of shape (n,)
        Factor of ``A``, or the positive diagonal of ``A``.
    U : array-like of shape (n, k)
        Low-rank part; for :math:`U C U^\top` pass ``U @ cholesky(C).lower``.

    Returns
    -------
    Woodbury

    Notes
    -----
    :math:`O(n k^2 + k^3)` time for a diagonal base, :math:`O(n k)` memory.

    Examples
    --------
    >>> import numpy as np
    >>> solver = woodbury([1.0, 1.0], [[1.0], [1.0]])
    >>> solver.solve([3.0, 3.0])
    array([1., 1.])
    >>> round(float(np.exp(solver.log_det)), 12)
    3.0
    """
    U = matrix(U, "low-rank part")
    if not isinstance(base, Cholesky):
        base = vector(base, len(U), "diagonal")
        if base.size and base.min() <= 0:
            raise ValueError(f"linalg: diagonal must be above 0, got {base.min():.3g}")
        base = np.sqrt(base)
    half = _half_solve(base, U)
    small = cholesky(np.eye(U.shape[1]) + half.T @ half, name="capacitance matrix")
    return Woodbury(base, half, small)


def _half_solve(base: Cholesky | Floats, b: Floats, *, transpose: bool = False) -> Floats:
    if isinstance(base, Cholesky):
        return base.half_solve(b, transpose=transpose)
    return b / (base if b.ndim == 1 else base[:, None])
