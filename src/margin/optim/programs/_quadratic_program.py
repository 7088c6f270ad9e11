"""Convex quadratic programs, stated."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import lapack
from scipy.sparse import csr_array, eye_array, issparse, vstack

from margin.core import check
from margin.core.types import Floats

_LARGE = 3000


@dataclass(frozen=True, eq=False)
class Multipliers:
    r"""Prices of the constraints at a solution.

    Parameters
    ----------
    equality : ndarray of shape (m,)
        Of :math:`A x = b`, of any sign.
    inequality : ndarray of shape (k,)
        Of :math:`G x \le h`, at least 0.
    lower, upper : ndarray of shape (d,)
        Of the bounds, at least 0; zero where there is no bound.
    """

    equality: Floats
    inequality: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    r"""A convex quadratic objective under linear constraints (optim.19).

    .. math:: \min_x \tfrac12 x^\top P x + q^\top x \quad\text{subject to}\quad
        A x = b, \; G x \le h, \; l \le x \le u .

    Parameters
    ----------
    P : array-like or sparse matrix of shape (d, d)
        Symmetric positive semi-definite; zero for a linear program. If it is sparse, everything
        is kept sparse.
    q : array-like of shape (d,)
    A, b : array-like of shapes (m, d) and (m,), optional
        Equalities.
    G, h : array-like of shapes (k, d) and (k,), optional
        Inequalities.
    lower, upper : float or array-like of shape (d,), optional
        Bounds, infinite where there is none.

    See Also
    --------
    solve_qp : solves it.

    Examples
    --------
    The nearest point of the line x + y = 1 to the origin, with x at most 0.2:

    >>> import numpy as np
    >>> from margin.optim import solve_qp
    >>> program = QuadraticProgram(
    ...     np.eye(2), np.zeros(2), A=[[1.0, 1.0]], b=[1.0], upper=[0.2, np.inf]
    ... )
    >>> solve_qp(program).x.round(6)
    array([0.2, 0.8])
    """

    P: Any
    q: Any
    A: Any = None
    b: Any = None
    G: Any = None
    h: Any = None
    lower: Any = None
    upper: Any = None

    def __post_init__(self) -> None:
        q = np.atleast_1d(np.asarray(self.q, dtype=np.float64))
        d = len(q)
        self._set("q", _finite(self, "q", q, (d,)))
        self._set("P", _matrix(self, "P", self.P, d))
        self._check_convex()
        for matrix, side in (("A", "b"), ("G", "h")):
            given = getattr(self, matrix) is None, getattr(self, side) is None
            if given[0] != given[1]:
                raise check.fail(self, side if given[1] else matrix, "given with its partner", None)
            rows = np.zeros((0, d)) if given[0] else _matrix(self, matrix, getattr(self, matrix), d)
            right = np.zeros(0) if given[0] else getattr(self, side)
            self._set(matrix, csr_array(rows) if issparse(self.P) else _dense(rows))
            right = np.atleast_1d(np.asarray(right, dtype=np.float64))
            self._set(side, _finite(self, side, right, (rows.shape[0],)))
        for name, default in (("lower", -np.inf), ("upper", np.inf)):
            bound = default if getattr(self, name) is None else getattr(self, name)
            full = np.array(np.broadcast_to(np.asarray(bound, dtype=np.float64), (d,)))
            if np.isnan(full).any() or (full == -default).any():
                raise check.fail(self, name, "numbers or no bound at all", bound)
            self._set(name, full)
        if (self.lower > self.upper).any():
            raise check.fail(self, "lower", "at most upper everywhere", self.lower)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _check_convex(self) -> None:
        skew = abs(self.P - self.P.T).max() if self.dimension else 0.0
        scale = float(abs(self.P).max()) if self.dimension else 0.0
        if skew > 1e-8 * scale:
            raise check.fail(self, "P", "symmetric", "a matrix that is not")
        if issparse(self.P) and self.dimension > _LARGE:
            return  # a factorisation would cost more memory than the problem
        P = self.P.toarray() if issparse(self.P) else self.P
        _, failed = lapack.dpotrf(P + 1e-9 * max(scale, 1e-300) * np.eye(len(P)), lower=1)
        if failed:
            raise check.fail(self, "P", "positive semi-definite", "a matrix that is not")

    @property
    def dimension(self) -> int:
        """Number of unknowns."""
        return len(self.q)

    def value(self, x: Floats) -> float:
        """Objective at ``x``, whether the constraints hold or not."""
        return float(x @ (0.5 * (self.P @ x) + self.q))

    def inequalities(self) -> tuple[Any, Floats]:
        """All inequalities as rows ``G x <= h``: the given ones, lower bounds, upper bounds."""
        low, high = np.isfinite(self.lower), np.isfinite(self.upper)
        side = np.concatenate([self.h, -self.lower[low], self.upper[high]])
        if issparse(self.P):
            unit = csr_array(eye_array(self.dimension))
            return vstack([csr_array(self.G), -unit[low], unit[high]], format="csr"), side
        eye = np.eye(self.dimension)
        return np.vstack([self.G, -eye[low], eye[high]]), side

    def multipliers(self, equality: Floats, stacked: Floats) -> Multipliers:
        """Prices by kind of constraint, from those of :meth:`inequalities`."""
        k, low, high = len(self.h), np.isfinite(self.lower), np.isfinite(self.upper)
        at = k + int(low.sum())
        lower, upper = np.zeros(self.dimension), np.zeros(self.dimension)
        lower[low], upper[high] = stacked[k:at], stacked[at:]
        return Multipliers(equality, stacked[:k], lower, upper)


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if issparse(matrix) else matrix


def _matrix(owner: object, name: str, given: Any, d: int) -> Any:
    if issparse(given):
        matrix = given.tocsr().astype(np.float64)
        entries = matrix.data
    else:
        matrix = np.atleast_2d(np.asarray(given, dtype=np.float64))
        entries = matrix
    rows = d if name == "P" else matrix.shape[0]
    if matrix.shape != (rows, d):
        raise check.fail(owner, name, f"a matrix with {d} columns", matrix.shape)
    if not np.isfinite(entries).all():
        raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
    return matrix


def _finite(owner: object, name: str, given: Floats, shape: tuple[int, ...]) -> Floats:
    if given.shape != shape:
        raise check.fail(owner, name, f"of shape {shape}", given.shape)
    if not np.isfinite(given).all():
        raise check.fail(owner, name, "finite everywhere", "NaN or infinity")
    return given
