"""Perceptron loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class Perceptron(Loss):
    r"""Distance into the wrong side, :math:`\ell(z, y) = \max(0, -y z)` (losses.05).

    Only misclassified rows count, each by the confidence :math:`|z|` of the error. At
    :math:`z = 0`, where the slope may be anything between :math:`-y` and 0, :meth:`slope` gives
    :math:`-y`: an undecided row asks for a change, or learning could never leave zero.

    Examples
    --------
    >>> import numpy as np
    >>> Perceptron().value(np.array([-1.0, 0.0, 0.5]), np.ones(3))
    array([1., 0., 0.])
    >>> Perceptron().slope(np.array([-1.0, 0.0, 0.5]), np.ones(3))
    array([-1., -1.,  0.])
    """

    form: ClassVar[Literal["margin"]] = "margin"
    differentiable: ClassVar[bool] = False

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.maximum(0.0, -signs(y, self) * z) + 0.0  # no negative zeros

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        sign = signs(y, self)
        return np.where(sign * z <= 0, -sign, 0.0)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
