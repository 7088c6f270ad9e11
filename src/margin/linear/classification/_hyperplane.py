"""Geometry of a linear decision boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class Hyperplane:
    r"""The boundary :math:`f(x) = w^\top x + w_0 = 0` and distances to it (linear.26).

    Any point is :math:`x = x^p + r\, w / \|w\|` with :math:`x^p` on the plane and
    :math:`r = f(x) / \|w\|` its signed distance; ``w`` is orthogonal to every difference of points
    on the plane.

    Parameters
    ----------
    w : array-like of shape (p,)
        Normal vector, not zero.
    w0 : float
        Constant.

    Examples
    --------
    >>> plane = Hyperplane([3.0, 4.0], -5.0)
    >>> plane.origin_distance
    -1.0
    >>> plane.functional_margin([3.0, 4.0]), plane.geometric_margin([3.0, 4.0])
    (np.float64(20.0), np.float64(4.0))
    >>> plane.project([3.0, 4.0])
    array([0.6, 0.8])
    """

    w: Floats
    w0: float

    def __init__(self, w: ArrayLike, w0: float = 0.0) -> None:
        normal = np.array(w, dtype=np.float64)
        if normal.ndim != 1 or not np.isfinite(normal).all() or not normal.any():
            raise check.fail(self, "w", "a finite vector that is not zero", w)
        if not np.isfinite(w0):
            raise check.fail(self, "w0", "finite", w0)
        normal.flags.writeable = False
        object.__setattr__(self, "w", normal)
        object.__setattr__(self, "w0", float(w0))

    @classmethod
    def of(cls, model: Any) -> Hyperplane:
        """Boundary of a fitted linear classifier of two classes."""
        coef = np.asarray(model.coef_, dtype=np.float64)
        if coef.size != coef.shape[-1]:
            raise check.fail(cls.__name__, "model", "of two classes", f"coef_ of {coef.shape}")
        return cls(coef.ravel(), float(np.ravel(model.intercept_)[0]))

    @classmethod
    def of_augmented(cls, w: ArrayLike) -> Hyperplane:
        r"""The plane of :math:`\hat w = (w_0; w)`, which acts on rows of :func:`augment`."""
        values = np.asarray(w, dtype=np.float64)
        return cls(values[1:], float(values[0]))

    @property
    def augmented(self) -> Floats:
        r""":math:`\hat w = (w_0; w)`, so that :math:`f(x) = \hat w^\top (1; x)` (linear.27)."""
        return np.concatenate([[self.w0], self.w])

    @property
    def norm(self) -> float:
        r""":math:`\|w\|`."""
        return float(np.linalg.norm(self.w))

    @property
    def origin_distance(self) -> float:
        r"""Signed distance :math:`w_0 / \|w\|` of the origin."""
        return self.w0 / self.norm

    def functional_margin(self, X: ArrayLike, y: ArrayLike | None = None) -> Floats:
        r""":math:`f(x)`, or :math:`y f(x)` with labels -1 and 1: positive where they are right."""
        value = np.asarray(X, dtype=np.float64) @ self.w + self.w0
        return value if y is None else np.asarray(y) * value

    def geometric_margin(self, X: ArrayLike, y: ArrayLike | None = None) -> Floats:
        """Signed distance to the plane, which rescaling of ``w`` and ``w0`` does not change."""
        return self.functional_margin(X, y) / self.norm

    def project(self, X: ArrayLike) -> Floats:
        """Nearest points on the plane."""
        rows = np.asarray(X, dtype=np.float64)
        away = self.functional_margin(rows) / (self.w @ self.w)
        return rows - np.multiply.outer(away, self.w)

    def canonical(self, X: ArrayLike, y: ArrayLike | None = None) -> Hyperplane:
        r"""The same plane scaled so that the nearest row has :math:`|f(x)| = 1`.

        Its margin is then :math:`1 / \|w\|`. With labels, rows on the wrong side are refused.
        """
        margins = self.functional_margin(X, y)
        least = float(np.min(np.abs(margins) if y is None else margins))
        if not least > 0:
            raise check.fail(self, "X", "off the plane and on the right side", least)
        return Hyperplane(self.w / least, self.w0 / least)


def augment(X: ArrayLike) -> Floats:
    r"""Rows :math:`\hat x = (1; x)`: the constant becomes a weight like any other (linear.27).

    Examples
    --------
    >>> augment([[3.0, 4.0]]) @ Hyperplane([3.0, 4.0], -5.0).augmented
    array([20.])
    """
    rows = np.atleast_2d(np.asarray(X, dtype=np.float64))
    return np.column_stack([np.ones(len(rows)), rows])
