"""Exponential loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import signs


@dataclass(frozen=True)
class Exponential(Loss):
    r"""The loss of boosting, :math:`\ell(z, y) = e^{-\beta y z}` (losses.10).

    Its best constant score is :math:`\frac{1}{2\beta} \log\frac{p}{1 - p}`, half the log-odds for
    ``beta=1``. It grows without bound: one outlier can dominate.

    Parameters
    ----------
    beta : float
        Scale of the margin, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> Exponential().value(np.array([1.0, -1.0]), np.ones(2)).round(8)
    array([0.36787944, 2.71828183])
    """

    beta: float = 1.0
    form: ClassVar[Literal["margin"]] = "margin"
    bounds_zero_one: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.params(self, positive="beta")

    def targets(self, y: Any) -> Floats:
        return signs(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.asarray(np.exp(-self.beta * signs(y, self) * z))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        sign = signs(y, self)
        return np.asarray(-self.beta * sign * np.exp(-self.beta * sign * z))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.asarray(self.beta**2 * np.exp(-self.beta * signs(y, self) * z))
