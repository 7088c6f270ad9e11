"""Squared epsilon-insensitive loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss


@dataclass(frozen=True)
class SquaredEpsilonInsensitive(Loss):
    r"""Square of the error beyond a tube, :math:`\ell(z, y) = \max(0, |z - y| - \epsilon)^2`.

    Differentiable everywhere; the curvature jumps from 0 to 2 where the tube ends.

    Parameters
    ----------
    epsilon : float
        Half the width of the tube, at least 0; 0 gives the square of the residual.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredEpsilonInsensitive(0.5).value(np.array([0.3, -1.5]), np.zeros(2))
    array([0., 1.])
    """

    epsilon: float = 0.1
    form: ClassVar[Literal["residual"]] = "residual"
    smoothness: ClassVar[float] = 2.0

    def __post_init__(self) -> None:
        check.params(self, nonnegative="epsilon")

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.maximum(0.0, np.abs(self._residual(z, y)) - self.epsilon) ** 2)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        residual = self._residual(z, y)
        beyond = np.maximum(0.0, np.abs(residual) - self.epsilon)
        return np.asarray(2.0 * np.sign(residual) * beyond)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.where(np.abs(self._residual(z, y)) > self.epsilon, 2.0, 0.0)
