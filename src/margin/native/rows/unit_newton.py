r"""A linear model of one output in units of its columns: the pass over its rows, Newton's step.

The unknowns are :math:`u_j = s_j w_j` and, with an intercept, :math:`c = b + \sum_j m_j w_j`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class UnitRows(NamedTuple):
    """Rows, targets and units, as the compiled loops take them.

    Parameters
    ----------
    loss : int
        Code of the loss.
    X : ndarray of shape (n, p), C-ordered, float32 or float64
    y : ndarray of shape (n,)
    weight : ndarray of shape (n,) or None
    centre, scale : ndarray of shape (p,)
    l2 : float
        Curvature of the penalty on the coefficients :math:`w`.
    n_threads : int
    """

    loss: int
    X: NDArray[Any]
    y: Floats
    weight: Floats | None
    centre: Floats
    scale: Floats
    l2: float
    n_threads: int

    def expand(self, u: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient, and weighted curvature of every row at ``u``."""
        curvature, gradient = np.empty(len(self.y)), np.empty(len(u))
        value = _native.unit_pass(
            self.loss,
            self.X,
            self.y,
            self.weight,
            u,
            self.centre,
            self.scale,
            self.l2,
            curvature,
            gradient,
            self.n_threads,
        )
        return float(value), gradient, curvature

    def direction(self, curvature: Floats, gradient: Floats) -> Floats | None:
        """Newton's step; ``None`` where the matrix is too close to one that is not definite."""
        step = np.empty(len(gradient))
        definite = _native.unit_direction(
            self.X, curvature, gradient, self.centre, self.scale, self.l2, step
        )
        return step if definite else None
