"""The hyperplane nearest to rows and their targets."""

from dataclasses import dataclass

import numpy as np

from margin.core import Certificate, FitError, Solution, Status
from margin.core.types import Floats
from margin.linalg import svd

_EPS = float(np.finfo(np.float64).eps)
_TOL = 1e-7


@dataclass(frozen=True, eq=False)
class NearestPlane:
    """A hyperplane and what shows that it is the nearest.

    Parameters
    ----------
    coef : ndarray of shape (p,)
        Slopes in the units of the data.
    distance : float
        Root of the weighted sum of squared distances.
    rank : int
        Numerical rank of the design.
    solution : Solution
        Half the square of the distance; residual of the equations that hold at its minimum.
    """

    coef: Floats
    distance: float
    rank: int
    solution: Solution


def nearest_plane(A: Floats, t: Floats, ratio: float) -> NearestPlane:
    """Hyperplane nearest to the centred rows ``[A, t / ratio]``.

    ``[A, t]`` has the singular values of the small matrix ``[[diag(d), c], [0, rest]]``; columns
    that depend on each other are gone, so that only the shortest solution is left.

    Raises
    ------
    FitError
        Where the nearest hyperplane does not depend on the target.

    Examples
    --------
    >>> A, t = np.array([[-1.0], [0.0], [1.0]]), np.array([-1.0, 0.0, 1.0])
    >>> nearest_plane(A, t, 1.0).coef.round(12)
    array([1.])
    """
    U, d, Vt = svd(A)
    rank = int(np.sum(d > max(A.shape) * _EPS * d[0])) if d[0] > 0 else 0
    d, along = d[:rank], U[:, :rank].T @ t
    rest = float(np.linalg.norm(t - U[:, :rank] @ along))
    matrix = np.zeros((rank + 1, rank + 1))
    matrix[:rank, :rank] = np.diag(d)
    matrix[:rank, -1] = along / ratio
    matrix[-1, -1] = rest / ratio
    _, values, normals = svd(matrix)
    distance, normal = float(values[-1]), normals[-1]
    slack = 8 * _EPS * values[0]
    # The target's part of the normal may be nothing but rounding.
    blind = abs(normal[-1]) <= 1e-12 * np.abs(normal).max()
    if rank and distance >= d[-1] - slack and blind:
        raise FitError(
            "y must follow the features more closely than they follow each other, got a "
            "nearest hyperplane that does not depend on y; use LinearRegression, remove the "
            "feature of least spread, or raise noise_ratio if the features are less noisy"
        )
    inner = -ratio * normal[:-1] / normal[-1]
    return NearestPlane(Vt[:rank].T @ inner, distance, rank, _judged(d, along, inner, distance))


def _judged(d: Floats, along: Floats, coef: Floats, distance: float) -> Solution:
    """Zero slope of the objective: (A'A - m I) w = A't with m the distance squared."""
    square = distance**2
    gradient = (d**2 - square) * coef - d * along
    terms = d**2 * np.abs(coef) + d * np.abs(along)
    residual = float(np.max(np.abs(gradient), initial=0.0)) / max(
        float(np.max(terms, initial=0.0)), float(np.finfo(np.float64).tiny)
    )
    done = residual <= _TOL
    return Solution(
        x=coef,
        status=Status.CONVERGED if done else Status.STALLED,
        n_iter=1,
        objective=0.5 * square,
        trace={"objective": np.array([0.5 * square])},
        certificate=Certificate("relative residual of the equations", residual, _TOL),
        solver="singular values",
        message=""
        if done
        else f"the equations of the hyperplane hold only to {residual:.2g}; scale the features",
    )
