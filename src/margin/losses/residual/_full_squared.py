"""Squared loss without the factor one half."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats


@dataclass(frozen=True)
class FullSquared(Loss):
    r"""The squared residual, :math:`\ell(z, y) = (z - y)^2` (losses.02).

    Twice :class:`Squared`: the same minimiser without a penalty, and with a penalty that of half
    the strength. Its mean is the mean squared error, its sum the residual sum of squares.

    Examples
    --------
    >>> import numpy as np
    >>> FullSquared().value(np.array([3.0]), np.array([1.0]))
    array([4.])
    """

    form: ClassVar[Literal["residual"]] = "residual"
    smoothness: ClassVar[float] = 2.0
    has_conjugate: ClassVar[bool] = True

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(self._residual(z, y) ** 2)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(2.0 * self._residual(z, y))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.full_like(floats(self, "z", z), 2.0)

    def conjugate(self, slope: Any, y: Any) -> Floats:
        r"""The conjugate :math:`\tfrac14 u^2 + u y`."""
        u = floats(self, "slope", slope)
        return np.asarray(u * (0.25 * u + floats(self, "y", y)))
