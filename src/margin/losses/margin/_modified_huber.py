"""Modified Huber loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class ModifiedHuber(Loss):
    r"""Squared hinge with a straight tail.

    .. math:: \ell(z, y) = \begin{cases} \max(0, 1 - y z)^2 & y z \ge -1 \\ -4 y z & y z < -1
        \end{cases}

    Rows far on the wrong side pull no harder than with the hinge. At the best score for a class
    probability :math:`p`, :math:`z = 2 p - 1`: scores give probabilities, exact zeros and ones
    included.

    Examples
    --------
    >>> import numpy as np
    >>> ModifiedHuber().value(np.array([-3.0, -1.0, 0.0, 0.5, 1.0]), np.ones(5))
    array([12.  ,  4.  ,  1.  ,  0.25,  0.  ])

    References
    ----------
    Zhang, Solving large scale linear prediction problems using stochastic gradient descent
    algorithms, 2004.
    """

    form: ClassVar[Literal["margin"]] = "margin"
    smoothness: ClassVar[float] = 2.0
    bounds_zero_one: ClassVar[bool] = True

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        margin = signs(y, self) * floats(self, "z", z)
        near = np.maximum(0.0, 1.0 - np.maximum(margin, -1.0)) ** 2
        return np.asarray(near - 4.0 * np.minimum(margin + 1.0, 0.0))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        sign = signs(y, self)
        gap = 1.0 - sign * floats(self, "z", z)
        return np.asarray(-2.0 * sign * np.clip(gap, 0.0, 2.0))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        margin = signs(y, self) * floats(self, "z", z)
        return np.where((margin < 1) & (margin > -1), 2.0, 0.0)
