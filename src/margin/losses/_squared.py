"""Squared loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss
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
    native_id: ClassVar[int] = native.SQUARED

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(0.5 * (z - y) ** 2)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(z - y)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.ones_like(z)
