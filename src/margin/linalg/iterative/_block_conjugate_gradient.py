"""Conjugate gradients for many right-hand sides at once, with the Lanczos matrices they imply."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Solution, Status, Stop, iterate
from margin.core.types import Floats, Places
from margin.linalg._matrix import matrix
from margin.linalg.iterative._conjugate_gradient import Apply

_DRIFT = 10.0
_ROUNDING = float(np.finfo(np.float64).eps)
_LEAST = 1e-300


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
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    x: Floats
    status: Status
    n_iter: int
    residual: Floats
    message: str
    steps: Floats
    ratios: Floats
    size: Floats
    interrupted: bool = False

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
    norm = np.linalg.norm(B, axis=0)
    system = _System(apply, preconditioner or _itself, B, np.where(norm > 0, norm, 1.0), limits)
    Z = system.precondition(B)
    size = np.einsum("ij,ij->j", B, Z)
    stop = Stop(
        "residual over its tolerance", _DRIFT, limit, keep="last", columns=("steps", "ratios")
    )
    states = _states(system, np.flatnonzero(norm > 0), Z, size)
    solution = iterate(states, stop, solver="conjugate gradients", finish=system.measured)
    residual = solution.extras["residual"]
    return BlockSolution(
        solution.x,
        solution.status,
        solution.n_iter,
        residual,
        _message(solution, residual, limits),
        solution.trace["steps"][1:],
        solution.trace["ratios"][1:],
        size,
        solution.interrupted,
    )


@dataclass(frozen=True, eq=False)
class _System:
    """What is solved, and how well."""

    apply: Apply
    precondition: Apply
    B: Floats
    scale: Floats
    limits: Floats

    def residual(self, X: Floats) -> Floats:
        """True residual of every column, relative to its right-hand side."""
        return np.asarray(np.linalg.norm(self.B - self.apply(X), axis=0) / self.scale)

    def done(self, at: Iterate) -> Iterate:
        """The end of all columns: their true residuals are the proof."""
        true = self.residual(at.x)
        excess = float(np.max(true / np.maximum(self.limits, _LEAST), initial=0.0))
        extras, why = {"residual": true}, "rounding errors"
        return at._replace(certificate=excess, extras=extras, unfinished=False, stuck=why)

    def measured(self, at: Iterate) -> Iterate:
        """An answer with its true residuals, also where the search was cut short."""
        return at if at.extras else at._replace(extras={"residual": self.residual(at.x)})


def _itself(V: Floats) -> Floats:
    return V


def _states(system: _System, active: Places, Z: Floats, rho: Floats) -> Iterator[Iterate]:
    """The points after every product; the last one with its true residuals."""
    n, k = system.B.shape
    X, value, nothing = np.zeros((n, k)), 0.0, np.full(k, np.nan)
    R, D, rho = system.B[:, active], Z[:, active], rho[active]
    limits = (system.limits * system.scale)[active]
    seen, largest = Iterate(X, 0.0, trace=(nothing, nothing), unfinished=True), 0.0
    for n_iter in count(1):
        if not len(active):
            yield system.done(seen)
            return
        yield seen
        image = system.apply(D)
        curvature = np.einsum("ij,ij->j", D, image)
        length = np.einsum("ij,ij->j", D, D)
        largest = max(largest, float(np.max(curvature / length)))
        # Along such a direction the matrix is nothing but rounding errors: go no further.
        flat = np.abs(curvature) <= len(R) * _ROUNDING * largest * length
        if flat.any():
            R, D, image = R[:, ~flat], D[:, ~flat], image[:, ~flat]
            rho, curvature, active = rho[~flat], curvature[~flat], active[~flat]
            limits = limits[~flat]
            if not len(active):
                continue
        broken = _broken(rho, curvature)
        if broken:
            yield seen._replace(failed=f"conjugate gradients: {broken}")
            return
        a = rho / curvature
        X = _moved(X, active, a * D)
        R -= a * image
        Z = system.precondition(R)
        new = np.einsum("ij,ij->j", R, Z)
        # Every step lowers half the quadratic by half of step times square.
        value -= 0.5 * float(a @ rho)
        b = new / rho
        trace = (_spread(a, active, k), _spread(b, active, k))
        seen = Iterate(X, value, None, n_iter, trace, unfinished=True)
        open_ = np.linalg.norm(R, axis=0) > limits
        D = Z + b * D
        rho = new
        if not open_.all():
            R, D = np.ascontiguousarray(R[:, open_]), np.ascontiguousarray(D[:, open_])
            rho, active, limits = rho[open_], active[open_], limits[open_]


def _moved(X: Floats, active: Places, step: Floats) -> Floats:
    """The point further on in some columns: a new array, for the old one is somebody's state."""
    if len(active) == X.shape[1]:
        return np.asarray(X + step)
    ahead = X.copy()
    ahead[:, active] += step
    return ahead


def _broken(rho: Floats, curvature: Floats) -> str:
    if rho.min() <= 0 or not np.isfinite(rho).all():
        return f"preconditioner must be positive definite, got curvature {rho.min():.3g}"
    if curvature.min() <= 0 or not np.isfinite(curvature).all():
        return f"matrix must be positive definite, got curvature {curvature.min():.3g}"
    return ""


def _spread(values: Floats, active: Places, k: int) -> Floats:
    row = np.full(k, np.nan)
    row[active] = values
    return row


def _message(solution: Solution, residual: Floats, limits: Floats) -> str:
    """What a person should know, in terms of the residuals themselves."""
    if solution.interrupted or solution.status in (Status.CONVERGED, Status.FAILED):
        return solution.message
    at = int(np.argmax(residual / np.maximum(limits, _LEAST)))
    if solution.status is Status.MAX_ITER:
        return (
            f"conjugate gradients: relative residual {residual[at]:.3g} above {limits[at]:.3g} "
            f"after {solution.n_iter} iterations"
        )
    return (
        f"conjugate gradients: rounding errors keep the relative residual at "
        f"{residual[at]:.3g}, above {limits[at]:.3g}"
    )
