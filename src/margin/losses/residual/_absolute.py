"""Absolute loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.losses._base import Loss, floats


@dataclass(frozen=True)
class Absolute(Loss):
    r"""Size of the residual, :math:`\ell(z, y) = |z - y|` (losses.14).

    Its minimiser over a constant is the median; minimising it is maximum likelihood under Laplace
    noise. However far an outlier lies, it pulls with the same force.

    Examples
    --------
    >>> import numpy as np
    >>> Absolute().value(np.array([3.0, -1.0]), np.ones(2))
    array([2., 2.])
    """

    form: ClassVar[Literal["residual"]] = "residual"
    differentiable: ClassVar[bool] = False

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.abs(self._residual(z, y)))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.sign(self._residual(z, y)))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
