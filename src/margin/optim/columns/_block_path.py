"""The elastic net for several targets that share their features, along a path."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import Solution
from margin.core.types import Floats
from margin.native.columns.coordinate import block_descent
from margin.optim.columns._path_solution import path_solution

Counts = NDArray[np.int64]
_SHARPEST = 1e-6


@dataclass(frozen=True)
class BlockPath:
    """Minimisers along a path of several targets.

    Parameters
    ----------
    alphas : ndarray of shape (k,)
        Strengths, decreasing.
    coefs : ndarray of shape (n_targets, p, k)
    gaps : ndarray of shape (k,)
        Duality gaps.
    n_iters : ndarray of shape (k,)
        Sweeps of coordinate descent.
    solution : Solution
        Of the last strength; the certificate is the largest relative duality gap of the path.
    """

    alphas: Floats
    coefs: Floats
    gaps: Floats
    n_iters: Counts
    solution: Solution


@dataclass(frozen=True, eq=False)
class BlockSquares:
    r"""The quadratic :math:`\tfrac1{2n} \|Y - XW\|^2` by columns of :math:`X`.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, p)
    Y : ndarray of shape (n, n_targets)

    Attributes
    ----------
    columns : ndarray of shape (p, n) or CSC matrix
        ``X`` for the compiled loop; a Fortran-ordered table is not copied.
    curvature : ndarray of shape (p,)
        Mean squares of the columns.
    energy : float
        :math:`\|Y\|^2 / n`.
    """

    X: Any
    Y: Floats
    columns: Any = field(init=False)
    curvature: Floats = field(init=False)
    energy: float = field(init=False)

    def __post_init__(self) -> None:
        n, columns, squares = self.X.shape[0], self.X, np.empty(0)
        if issparse(self.X):
            columns = self.X.tocsc()
            squares = columns.power(2).sum(axis=0)
        else:
            columns = np.ascontiguousarray(self.X.T)
            squares = np.einsum("ij,ij->i", columns, columns, dtype=np.float64)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "curvature", np.asarray(squares, dtype=np.float64).ravel() / n)
        object.__setattr__(self, "energy", float((self.Y**2).sum()) / n)

    def products(self, residual: Floats) -> Floats:
        """Products of the columns with a residual of shape (n_targets, n), over n."""
        return np.asarray(self.X.T @ residual.T, dtype=np.float64) / len(self.Y)

    @property
    def strongest(self) -> float:
        """The least strength of the lengths that lets no feature in."""
        return float(np.linalg.norm(self.products(self.Y.T), axis=1).max(initial=0.0))


def block_path(
    problem: BlockSquares, alphas: Floats, l1_ratio: float, *, tol: float, max_iter: int
) -> BlockPath:
    r"""Minimise for every strength, with lengths of rows in the place of absolute values.

    The penalty is :math:`\alpha\rho \sum_j \|w_j\|_2 + \tfrac12 \alpha(1-\rho) \|W\|^2`:
    features enter or stay out for all targets together.

    Parameters
    ----------
    problem : BlockSquares
    alphas : ndarray of shape (k,)
        Strengths; each fit starts from the one before.
    l1_ratio : float
        Share :math:`\rho` of the lengths.
    tol : float
        Duality gap, relative to the mean square of the targets, that counts as zero.
    max_iter : int
        Most sweeps per strength.

    Examples
    --------
    On orthonormal columns the rows of the products shrink in length:

    >>> import numpy as np
    >>> Y = np.sqrt(2.0) * np.array([[3.0, 4.0], [0.0, 1.0]])
    >>> path = block_path(BlockSquares(np.sqrt(2.0) * np.eye(2), Y), [1.0], 1.0, tol=0, max_iter=9)
    >>> path.coefs[:, :, 0].round(6)
    array([[2.4, 0. ],
           [3.2, 0. ]])
    """
    alphas = np.sort(np.asarray(alphas, dtype=np.float64))[::-1]
    p, k = problem.X.shape[1], problem.Y.shape[1]
    w, residual = np.zeros((p, k)), np.array(problem.Y.T, order="C", dtype=np.float64)
    coefs, points = np.zeros((k, p, len(alphas))), []
    energy = problem.energy or 1.0
    for i, alpha in enumerate(alphas):
        strengths = alpha * l1_ratio, alpha * (1.0 - l1_ratio)
        points.append(_descend(problem, w, residual, strengths, tol * energy, max_iter))
        coefs[:, :, i] = w.T
    gaps = np.array([point.gap for point in points])
    n_iters = np.array([point.sweeps for point in points])
    objectives = np.array([point.objective for point in points])
    solution = path_solution(
        coefs[:, :, -1],
        alphas,
        objectives,
        gaps,
        n_iters,
        scale=energy,
        tol=tol,
        max_iter=max_iter,
        solver="block coordinate descent along the path",
    )
    return BlockPath(alphas, coefs, gaps, n_iters, solution)


@dataclass(frozen=True)
class _Point:
    objective: float
    gap: float
    sweeps: int


def _descend(
    problem: BlockSquares,
    w: Floats,
    residual: Floats,
    strengths: tuple[float, float],
    goal: float,
    max_iter: int,
) -> _Point:
    """Minimise from ``w`` on, in place, until the gap is at most ``goal`` or nothing moves."""
    sweeps, sharp, (objective, gap) = 0, 1.0, _measured(problem, w, residual, strengths)
    while gap > goal and sweeps < max_iter and sharp > _SHARPEST:
        swept = block_descent(
            problem.columns,
            problem.curvature,
            w,
            residual,
            1.0 / len(problem.Y),
            *strengths,
            max_epochs=max_iter - sweeps,
            tol=sharp * _violation_allowed(problem, w, residual, strengths, goal),
        )
        sweeps, sharp = sweeps + swept, 0.1 * sharp
        objective, gap = _measured(problem, w, residual, strengths)
    return _Point(objective, gap, sweeps)


def _measured(
    problem: BlockSquares, w: Floats, residual: Floats, strengths: tuple[float, float]
) -> tuple[float, float]:
    r"""Objective and duality gap.

    As for one target (:func:`margin.optim.columns._duality_gap.squares_gap`), with lengths of rows
    in the place of absolute values: :math:`tR` is dual feasible while
    :math:`t \|x_j^\top R/n - l_2 w_j\| \le l_1` for all :math:`j`.
    """
    l1, l2 = strengths
    n, products = len(problem.Y), problem.products(residual)
    square, along = float((residual**2).sum()) / n, float((residual * problem.Y.T).sum()) / n
    ridge = l2 * float((w**2).sum())
    objective = 0.5 * square + l1 * float(np.linalg.norm(w, axis=1).sum()) + 0.5 * ridge
    worst = float(np.linalg.norm(products - l2 * w, axis=1).max(initial=0.0))
    limit = l1 / worst if worst > l1 else 1.0
    length = square + ridge
    t = min(max(along / length, 0.0), limit) if length > 0 else 0.0
    dual = t * along - 0.5 * t * t * length
    if l2 > 0:
        over = np.maximum(np.linalg.norm(products, axis=1) - l1, 0.0)
        dual = max(dual, along - 0.5 * square - float(over @ over) / (2.0 * l2))
    return objective, max(objective - dual, 0.0)


def _violation_allowed(
    problem: BlockSquares,
    w: Floats,
    residual: Floats,
    strengths: tuple[float, float],
    goal: float,
) -> float:
    """Violation of an optimality condition that keeps the gap near the goal."""
    rounding = 1e-15 * float(np.sqrt(problem.energy * problem.curvature.max(initial=0.0)))
    size = 4.0 * float(np.linalg.norm(w, axis=1).sum())
    square = float((residual**2).sum()) / len(problem.Y)
    first = goal / size if size > 0 else np.inf
    second = strengths[0] * np.sqrt(goal / square) if square > 0 else np.inf
    return float(max(min(first, second, problem.energy), rounding))
