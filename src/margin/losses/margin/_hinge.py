"""Hinge loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class Hinge(Loss):
    r"""Missing margin, :math:`\ell(z, y) = \max(0, 1 - y z)` (losses.06).

    The loss of the support vector machine: also right decisions are charged while their margin
    is below one. It is the least slack :math:`\xi` of :math:`y z \ge 1 - \xi,\ \xi \ge 0`. At the
    kink :meth:`slope` gives 0, one of the subgradients between :math:`-y` and 0.

    Examples
    --------
    >>> import numpy as np
    >>> Hinge().value(np.array([2.0, 1.0, 0.5, 0.0, -1.0]), np.ones(5))
    array([0. , 0. , 0.5, 1. , 2. ])
    """

    form: ClassVar[Literal["margin"]] = "margin"
    differentiable: ClassVar[bool] = False
    bounds_zero_one: ClassVar[bool] = True

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.maximum(0.0, 1.0 - signs(y, self) * z)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        sign = signs(y, self)
        return np.where(sign * z < 1, -sign, 0.0)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
