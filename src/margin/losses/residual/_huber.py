"""Huber's loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss


@dataclass(frozen=True)
class Huber(Loss):
    r"""Squared near zero, absolute beyond (losses.14).

    .. math:: \ell(r) = \begin{cases} \tfrac12 r^2 & |r| \le \delta \\
        \delta |r| - \tfrac12 \delta^2 & |r| > \delta \end{cases}, \qquad r = z - y.

    Residuals of ordinary size are treated as by least squares, outliers as by the median.

    Parameters
    ----------
    delta : float
        Where the square ends, above 0, in units of the target. 1.345 standard deviations of the
        noise keep 95 % of the efficiency of least squares on Gaussian data.

    Examples
    --------
    >>> import numpy as np
    >>> Huber(1.0).value(np.array([0.5, 1.0, 3.0]), np.zeros(3))
    array([0.125, 0.5  , 2.5  ])
    """

    delta: float = 1.345
    form: ClassVar[Literal["residual"]] = "residual"
    smoothness: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        check.params(self, positive="delta")

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        size = np.abs(self._residual(z, y))
        near = np.minimum(size, self.delta)
        return np.asarray(near * (size - 0.5 * near))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.clip(self._residual(z, y), -self.delta, self.delta))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.where(np.abs(self._residual(z, y)) <= self.delta, 1.0, 0.0)
