"""Low-rank tables from the entries that are there, by alternating least squares."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import Solution
from margin.core.types import Bools, Floats
from margin.inference import Expectation, RelativeGain, Squarem, expectation_maximisation

_NUMBERS = 1 << 21


class Plane(NamedTuple):
    """Offset of shape (p,) and directions of shape (p, k)."""

    offset: Floats
    directions: Floats


def coordinates(X: Floats, plane: Plane, ridge: float) -> Floats:
    """Coordinates of rows on a plane, by least squares over what is observed of each.

    Examples
    --------
    >>> plane = Plane(np.zeros(2), np.array([[1.0], [2.0]]))
    >>> coordinates(np.array([[np.nan, 6.0], [1.0, 2.0]]), plane, 0.0)
    array([[3.],
           [1.]])
    """
    seen = ~np.isnan(X)
    away = np.where(seen, X - plane.offset, 0.0)
    return _solutions(seen.astype(np.float64), plane.directions, away @ plane.directions, ridge)


def alternate(
    X: Floats, weight: Floats | None, start: Plane, *, ridge: float, tol: float, max_iter: int
) -> Solution:
    r"""The plane nearest to the observed entries.

    Minimises :math:`\sum_{(i,j)\ \text{observed}} w_i (x_{ij} - \mu_j - b_j^\top y_i)^2 +
    \rho\,(\sum_i w_i \|y_i\|^2 + \sum_j \|b_j\|^2)` over coordinates and plane in turn; neither
    step can raise it.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Rows; NaN is unobserved.
    weight : ndarray of shape (n,) or None
    start : Plane
        Where to begin.
    ridge : float
        :math:`\rho`, small: it decides where the entries do not.
    tol, max_iter
        Relative gain that counts as none, most rounds.

    Returns
    -------
    Solution
        ``x`` is the :class:`Plane`, the objective the penalised sum of squares.
    """
    held = np.ones(len(X)) if weight is None else weight
    steps = _Steps(X, ~np.isnan(X), held, ridge)
    shape = start.directions.shape
    whole = float(np.sum(held @ np.where(steps.seen, X - start.offset, 0.0) ** 2))
    floor = max(1e-12 * whole, float(np.finfo(float).tiny))
    return expectation_maximisation(
        steps.expect,
        steps.maximise,
        [start],
        tol=tol,
        max_iter=max_iter,
        measure=RelativeGain(floor),
        accelerate=Squarem(
            lambda plane: np.concatenate([plane.offset, plane.directions.ravel()]),
            lambda v: Plane(v[: shape[0]], v[shape[0] :].reshape(shape)),
        ),
        unit="round",
        solver="alternating least squares",
    )


@dataclass(frozen=True, eq=False)
class _Steps:
    X: Floats
    seen: Bools
    weight: Floats
    ridge: float

    def expect(self, plane: Plane) -> Expectation[Floats]:
        """Best coordinates, and minus the objective with them."""
        Y = coordinates(self.X, plane, self.ridge)
        rest = np.where(self.seen, self.X - plane.offset - Y @ plane.directions.T, 0.0)
        loss = float(self.weight @ (rest * rest).sum(axis=1))
        size = float(self.weight @ (Y * Y).sum(axis=1)) + float(np.sum(plane.directions**2))
        return Expectation(-(loss + self.ridge * size), Y)

    def maximise(self, Y: Floats, plane: Plane) -> Plane:
        """Best plane for given coordinates, about the offset so far."""
        design = np.hstack([Y, np.ones((len(Y), 1))])
        away = np.where(self.seen, self.X - plane.offset, 0.0) * self.weight[:, None]
        shown = (self.seen * self.weight[:, None]).T
        coef = _solutions(shown, design, away.T @ design, self.ridge, free=1)
        return Plane(plane.offset + coef[:, -1], np.asarray(coef[:, :-1]))


def _solutions(mask: Floats, design: Floats, target: Floats, ridge: float, free: int = 0) -> Floats:
    """Penalised least squares for every row of the mask; the last columns are free of penalty."""
    n, k = len(mask), design.shape[1]
    products = (design[:, :, None] * design[:, None, :]).reshape(len(design), k * k)
    penalty = ridge * np.eye(k)
    if free:
        penalty[-free:, -free:] = 0.0
    out = np.empty((n, k))
    step = max(1, _NUMBERS // max(k * k, 1))
    for at in range(0, n, step):
        part = slice(at, at + step)
        inner = (mask[part] @ products).reshape(len(mask[part]), k, k) + penalty
        inverse = np.linalg.pinv(inner, hermitian=True)
        out[part] = np.einsum("ikl,il->ik", inverse, target[part])
    return out
