"""Epsilon-insensitive loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss, floats


@dataclass(frozen=True)
class EpsilonInsensitive(Loss):
    r"""Error beyond a tube, :math:`\ell(z, y) = \max(0, |z - y| - \epsilon)` (losses.11).

    The loss of support vector regression: residuals within ``epsilon`` cost nothing.

    Parameters
    ----------
    epsilon : float
        Half the width of the tube, at least 0; 0 gives the absolute loss.

    Examples
    --------
    >>> import numpy as np
    >>> EpsilonInsensitive(0.5).value(np.array([0.3, -1.2]), np.zeros(2))
    array([0. , 0.7])
    """

    epsilon: float = 0.1
    form: ClassVar[Literal["residual"]] = "residual"
    differentiable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, nonnegative="epsilon")

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.maximum(0.0, np.abs(self._residual(z, y)) - self.epsilon))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        residual = self._residual(z, y)
        return np.where(np.abs(residual) > self.epsilon, np.sign(residual), 0.0)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
