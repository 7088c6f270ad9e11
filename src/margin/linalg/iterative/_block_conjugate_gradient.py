"""Conjugate gradients for many right-hand sides at once, with the Lanczos matrices they imply."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from margin.core import Status
from margin.core.types import Floats
from margin.linalg._matrix import matrix
from margin.linalg.iterative._conjugate_gradient import Apply

_DRIFT = 10.0
_ROUNDING = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class BlockSolution:
    r"""Solutions of several systems with one matrix.

    Parameters
    ----------
    x : ndarray of shape (n, k)
    status : Status
        As for one system; that of the worst column.
    n_iter : int
        Products with the matrix that were needed.
    residual : ndarray of shape (k,)
        True residual of every column, relative to its right-hand side.
    message : str
        A sentence for a person when the status is not CONVERGED.
    steps, ratios : ndarray of shape (n_iter, k)
        Step lengths and ratios of the directions; NaN after a column is done.
    size : ndarray of shape (k,)
        :math:`b^\top M^{-1} b` with the preconditioner ``M``.
    """

    x: Floats
    status: Status
    n_iter: int
    residual: Floats
    message: str
    steps: Floats
    ratios: Floats
    size: Floats

    def lanczos(self, column: int) -> tuple[Floats, Floats]:
        r"""Diagonal and off-diagonal of the Lanczos matrix of a column (linalg.09).

        That of :math:`M^{-1/2} A M^{-1/2}` started at :math:`M^{-1/2} b`: its eigenvalues and the
        first entries of its eigenvectors are a Gauss quadrature for functions of the matrix.
        """
        a = self.steps[:, column]
        a = a[~np.isnan(a)]
        b = self.ratios[: len(a), column]
        diagonal = 1.0 / a
        diagonal[1:] += b[:-1] / a[:-1]
        return diagonal, np.sqrt(b[:-1]) / a[:-1]


def block_conjugate_gradient(
    apply: Apply,
    B: ArrayLike,
    *,
    preconditioner: Apply | None = None,
    tol: float | Floats = 1e-10,
    max_iter: int | None = None,
) -> BlockSolution:
    r"""Solutions of :math:`A X = B`, each column by conjugate gradients of its own (linalg.09).

    The columns share every product with ``A``, which is what costs; a column that has reached the
    tolerance leaves the block.

    Parameters
    ----------
    apply, preconditioner : callable
        ``V -> A @ V`` and ``V -> M^-1 @ V`` for blocks of columns.
    B : array-like of shape (n, k)
        Right-hand sides.
    tol : float or ndarray of shape (k,)
        Converged when :math:`\|b - A x\| \le \mathrm{tol}\,\|b\|` in every column.
    max_iter : int, optional
        Largest number of products; ``10 n`` when absent.

    Returns
    -------
    BlockSolution
        FAILED if a direction of non-positive curvature shows that ``A`` is not positive definite,
        STALLED if rounding errors, or a matrix that is singular, keep a true residual well above
        the tolerance.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[4.0, 1.0], [1.0, 3.0]])
    >>> inverse = block_conjugate_gradient(lambda V: A @ V, np.eye(2))
    >>> np.allclose(inverse.x, np.linalg.inv(A)), inverse.n_iter
    (True, 2)
    >>> diagonal, _ = inverse.lanczos(0)
    >>> diagonal.round(9)
    array([4., 3.])
    """
    B = np.array(matrix(B, "right-hand sides"), order="C")
    limits = np.broadcast_to(np.asarray(tol, dtype=np.float64), B.shape[1:])
    if not (limits >= 0).all():
        raise ValueError(f"linalg: tol must be a number of at least 0, got {tol!r}")
    limit = 10 * len(B) if max_iter is None else max_iter
    precondition = preconditioner or (lambda V: V)
    norm = np.linalg.norm(B, axis=0)
    scale = np.where(norm > 0, norm, 1.0)
    X, R = np.zeros_like(B), B.copy()
    Z = precondition(R)
    rho = np.einsum("ij,ij->j", R, Z)
    size, active = rho.copy(), np.flatnonzero(norm > 0)
    R, D, rho = R[:, active], Z[:, active], rho[active]
    steps: list[Floats] = []
    ratios: list[Floats] = []
    broken, largest = "", 0.0
    while len(active) and len(steps) < limit:
        image = apply(D)
        curvature = np.einsum("ij,ij->j", D, image)
        length = np.einsum("ij,ij->j", D, D)
        largest = max(largest, float(np.max(curvature / length)))
        # Along such a direction the matrix is nothing but rounding errors: go no further.
        flat = np.abs(curvature) <= len(B) * _ROUNDING * largest * length
        if flat.any():
            R, D, image = R[:, ~flat], D[:, ~flat], image[:, ~flat]
            rho, curvature, active = rho[~flat], curvature[~flat], active[~flat]
        broken = _broken(rho, curvature)
        if broken or not len(active):
            break
        a = rho / curvature
        X[:, active] += a * D
        R -= a * image
        Z = precondition(R)
        new = np.einsum("ij,ij->j", R, Z)
        steps.append(_spread(a, active, len(norm)))
        ratios.append(_spread(new / rho, active, len(norm)))
        open_ = np.linalg.norm(R, axis=0) > limits[active] * scale[active]
        D = Z + (new / rho) * D
        rho = new
        if not open_.all():
            R, D = np.ascontiguousarray(R[:, open_]), np.ascontiguousarray(D[:, open_])
            rho, active = rho[open_], active[open_]
    residual = np.linalg.norm(B - apply(X), axis=0) / scale if len(norm) else norm
    status, message = _judge(residual, limits, len(active) > 0, len(steps), broken)
    return BlockSolution(
        X, status, len(steps), residual, message, _table(steps, B), _table(ratios, B), size
    )


def _broken(rho: Floats, curvature: Floats) -> str:
    if not len(rho):
        return ""
    if rho.min() <= 0 or not np.isfinite(rho).all():
        return f"preconditioner must be positive definite, got curvature {rho.min():.3g}"
    if curvature.min() <= 0 or not np.isfinite(curvature).all():
        return f"matrix must be positive definite, got curvature {curvature.min():.3g}"
    return ""


def _spread(values: Floats, active: NDArray[np.intp], k: int) -> Floats:
    row = np.full(k, np.nan)
    row[active] = values
    return row


def _table(rows: list[Floats], B: Floats) -> Floats:
    return np.array(rows, dtype=np.float64).reshape(len(rows), B.shape[1])


def _judge(
    residual: Floats, limits: Floats, unfinished: bool, n_iter: int, broken: str
) -> tuple[Status, str]:
    if broken:
        return Status.FAILED, f"conjugate gradients: {broken}"
    excess = residual / np.maximum(limits, np.finfo(np.float64).tiny)
    at = int(np.argmax(excess)) if len(excess) else 0
    if unfinished:
        return Status.MAX_ITER, (
            f"conjugate gradients: relative residual {residual[at]:.3g} above {limits[at]:.3g} "
            f"after {n_iter} iterations"
        )
    if len(excess) and excess[at] > _DRIFT:
        return Status.STALLED, (
            f"conjugate gradients: rounding errors keep the relative residual at "
            f"{residual[at]:.3g}, above {limits[at]:.3g}"
        )
    return Status.CONVERGED, ""
