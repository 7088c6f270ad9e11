"""Constraint on the squared norm."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty

_ON_EDGE = 1e-9


@dataclass(frozen=True)
class L2Ball(Penalty):
    r"""The constraint :math:`\|w\|^2 \le t`, as a penalty of 0 inside and infinity outside.

    The constraint form of ridge regression (penalties.07): with
    :math:`t = \|w_\lambda\|^2` it has the minimiser :math:`w_\lambda` of the penalty form
    (:func:`matching_strength` finds the :math:`\lambda` of a given ``t``). The proximal operator
    is the projection, whatever the step.

    Parameters
    ----------
    budget : float
        Largest squared norm :math:`t`, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> L2Ball(1.0).prox(np.array([3.0, 4.0]), step=1.0)
    array([0.6, 0.8])
    """

    budget: float
    smooth: ClassVar[bool] = False
    separable: ClassVar[bool] = False
    finite: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, positive="budget")

    def value(self, w: Floats) -> float:
        return 0.0 if float(np.vdot(w, w)) <= self.budget * (1.0 + _ON_EDGE) else np.inf

    def gradient(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        square, pull = float(np.vdot(w, w)), float(np.vdot(w, slope))
        if square < self.budget * (1.0 - _ON_EDGE) or pull >= 0:
            return slope.copy()
        return slope - pull / square * w

    def curvature(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def prox(self, w: Floats, step: float) -> Floats:
        square = float(np.vdot(w, w))
        return w * min(1.0, float(np.sqrt(self.budget / square))) if square > 0 else w.copy()
