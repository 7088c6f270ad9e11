"""The elastic net for several targets that share their features, along a path."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from margin.core import Iterate, Solution, Stop, iterate
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
    coefs, points = np.zeros((k, p, len(alphas))), list[Solution]()
    energy = problem.energy or 1.0
    stop = Stop("duality gap", tol * energy, max_iter, unit="sweep", keep="last")
    for i, alpha in enumerate(alphas):
        strengths = alpha * l1_ratio, alpha * (1.0 - l1_ratio)
        point = iterate(_points(problem, w, residual, strengths, stop), stop)
        if point.interrupted:  # of a path whose other strengths are missing
            raise KeyboardInterrupt
        points.append(point)
        coefs[:, :, i] = w.T
    gaps = np.array([point.extras["gap"] for point in points])
    n_iters = np.array([point.n_iter for point in points])
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


def _points(
    problem: BlockSquares,
    w: Floats,
    residual: Floats,
    strengths: tuple[float, float],
    stop: Stop,
) -> Iterator[Iterate]:
    """The point at ``w``, which moves in place, after every descent to a sharper violation."""
    sweeps, sharp, goal = 0, 1.0, stop.tol or 0.0
    while True:
        here = _measured(problem, w, residual, strengths)
        yield Iterate(w, here.objective, here.gap, sweeps, extras={"gap": here.gap})
        if sharp <= _SHARPEST:
            return
        sweeps += block_descent(
            problem.columns,
            problem.curvature,
            w,
            residual,
            1.0 / len(problem.Y),
            *strengths,
            max_epochs=stop.max_iter - sweeps,
            tol=sharp * _violation_allowed(problem, here, strengths[0], goal),
        )
        sharp *= 0.1


class _Measured(NamedTuple):
    """Objective and duality gap; mean square of the residual and lengths of the rows, added."""

    objective: float
    gap: float
    square: float
    size: float


def _measured(
    problem: BlockSquares, w: Floats, residual: Floats, strengths: tuple[float, float]
) -> _Measured:
    r"""Objective, duality gap, and what they are made of.

    As for one target (:func:`margin.optim.columns._duality_gap.squares_gap`), with lengths of rows
    in the place of absolute values: :math:`tR` is dual feasible while
    :math:`t \|x_j^\top R/n - l_2 w_j\| \le l_1` for all :math:`j`.
    """
    l1, l2 = strengths
    n, products = len(problem.Y), problem.products(residual)
    square = float(np.vdot(residual, residual)) / n
    along = float(np.einsum("ij,ji->", residual, problem.Y)) / n
    ridge = l2 * float(np.vdot(w, w))
    size = float(_lengths(w).sum())
    objective = 0.5 * square + l1 * size + 0.5 * ridge
    worst = float(_lengths(products - l2 * w).max(initial=0.0))
    limit = l1 / worst if worst > l1 else 1.0
    length = square + ridge
    t = min(max(along / length, 0.0), limit) if length > 0 else 0.0
    dual = t * along - 0.5 * t * t * length
    if l2 > 0:
        over = np.maximum(_lengths(products) - l1, 0.0)
        dual = max(dual, along - 0.5 * square - float(over @ over) / (2.0 * l2))
    return _Measured(objective, max(objective - dual, 0.0), square, size)


def _lengths(rows: Floats) -> Floats:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", rows, rows)))


def _violation_allowed(problem: BlockSquares, here: _Measured, l1: float, goal: float) -> float:
    """Violation of an optimality condition that keeps the gap near the goal."""
    rounding = 1e-15 * float(np.sqrt(problem.energy * problem.curvature.max(initial=0.0)))
    first = 0.25 * goal / here.size if here.size > 0 else np.inf
    second = l1 * np.sqrt(goal / here.square) if here.square > 0 else np.inf
    return float(max(min(first, second, problem.energy), rounding))
