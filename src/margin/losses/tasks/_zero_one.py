"""Number of misclassifications."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class ZeroOne(Loss):
    r"""One for a wrong sign, :math:`\ell(z, y) = 1[y z \le 0]` (losses.03).

    A score of zero decides nothing and counts as wrong. Its sum is the number of
    misclassifications; the decision of least expected loss is the most probable label. The loss is
    piecewise constant: its slope is zero and says nothing, so every solver refuses it.

    Examples
    --------
    >>> import numpy as np
    >>> ZeroOne().value(np.array([2.0, 0.0, -0.1]), np.array([1, 1, 1]))
    array([0., 1., 1.])
    """

    form: ClassVar[Literal["margin"]] = "margin"
    convex: ClassVar[bool] = False
    differentiable: ClassVar[bool] = False
    piecewise_constant: ClassVar[bool] = True
    bounds_zero_one: ClassVar[bool] = True

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.asarray(signs(y, self) * z <= 0, dtype=np.float64)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
