"""Squared hinge loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class SquaredHinge(Loss):
    r"""Square of the missing margin, :math:`\ell(z, y) = \max(0, 1 - y z)^2` (losses.07).

    Differentiable everywhere; the curvature jumps from 2 to 0 where the margin reaches one.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredHinge().value(np.array([-1.0, 0.0, 0.5, 1.0]), np.ones(4))
    array([4.  , 1.  , 0.25, 0.  ])
    """

    form: ClassVar[Literal["margin"]] = "margin"
    smoothness: ClassVar[float] = 2.0
    bounds_zero_one: ClassVar[bool] = True

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.asarray(np.maximum(0.0, 1.0 - signs(y, self) * z) ** 2)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        sign = signs(y, self)
        return np.asarray(-2.0 * sign * np.maximum(0.0, 1.0 - sign * z))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.where(signs(y, self) * z < 1, 2.0, 0.0)
