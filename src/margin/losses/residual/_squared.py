"""Squared loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.native.rows import losses as native


@dataclass(frozen=True)
class Squared(Loss):
    r"""Half the squared residual, :math:`\ell(z, y) = \tfrac12 (z - y)^2` (losses.02).

    Its minimiser over a constant is the mean; minimising it is maximum likelihood under
    Gaussian noise of constant variance.

    Examples
    --------
    >>> import numpy as np
    >>> Squared().value(np.array([3.0]), np.array([1.0]))
    array([2.])
    """

    form: ClassVar[Literal["residual"]] = "residual"
    smoothness: ClassVar[float] = 1.0
    quadratic: ClassVar[bool] = True
    has_conjugate: ClassVar[bool] = True
    native_id: ClassVar[int] = native.SQUARED

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(0.5 * self._residual(z, y) ** 2)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return self._residual(z, y)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.ones_like(floats(self, "z", z))

    def conjugate(self, slope: Any, y: Any) -> Floats:
        r"""The conjugate :math:`\tfrac12 u^2 + u y`."""
        u = floats(self, "slope", slope)
        return np.asarray(u * (0.5 * u + floats(self, "y", y)))
