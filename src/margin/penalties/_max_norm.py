"""Constraint on the norm of each column."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty

_ON_EDGE = 1e-9


@dataclass(frozen=True)
class MaxNorm(Penalty):
    r"""The constraint :math:`\|W_{\cdot h}\| \le C` on the weights into each unit (penalties.04).

    A penalty of 0 inside and infinity outside, whose proximal operator is the projection

    .. math:: W_{\cdot h} \leftarrow W_{\cdot h}\, \frac{\min(C, \|W_{\cdot h}\|)}{\|W_{\cdot h}\|},

    which keeps directions. Coefficients of shape (p, k) have one unit per column; a vector is one
    unit. Bounded weights keep sigmoid units out of the flat region where
    :math:`\tanh(t) \approx \pm 1` and no gradient passes.

    Parameters
    ----------
    limit : float
        Largest norm :math:`C` of a column, above 0; 3 to 4 is usual.

    Examples
    --------
    >>> import numpy as np
    >>> MaxNorm(1.0).prox(np.array([[3.0, 0.1], [4.0, 0.0]]), step=1.0)
    array([[0.6, 0.1],
           [0.8, 0. ]])
    """

    limit: float = 3.0
    smooth: ClassVar[bool] = False
    separable: ClassVar[bool] = False
    finite: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, positive="limit")

    def value(self, w: Floats) -> float:
        return 0.0 if _norms(w).max(initial=0.0) <= self.limit * (1.0 + _ON_EDGE) else np.inf

    def gradient(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        norms, pull = _norms(w), np.asarray(np.sum(w * slope, axis=0))
        held = (norms >= self.limit * (1.0 - _ON_EDGE)) & (pull < 0)
        share = np.where(held, pull / np.where(held, norms**2, 1.0), 0.0)
        return np.asarray(slope - share * w)

    def curvature(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def prox(self, w: Floats, step: float) -> Floats:
        norms = _norms(w)
        factor = self.limit / np.where(norms > self.limit, norms, self.limit)
        return np.asarray(w * factor)


def _norms(w: Floats) -> Floats:
    return np.asarray(np.linalg.norm(w, axis=0))
