"""Tukey's biweight loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss


@dataclass(frozen=True)
class Tukey(Loss):
    r"""Biweight: outliers beyond ``c`` have no pull at all (losses.14).

    .. math:: \ell(r) = \frac{c^2}{6} \left[ 1 - \Bigl(1 - \min(|r| / c, 1)^2\Bigr)^3 \right],
        \qquad r = z - y.

    Bounded, and therefore not convex: a solver finds a stationary point, which depends on the
    start. Start from a fit with :class:`~margin.losses.Huber`.

    Parameters
    ----------
    c : float
        Residual from which on the loss is constant, above 0. 4.685 standard deviations of the
        noise keep 95 % of the efficiency of least squares on Gaussian data.

    Examples
    --------
    >>> import numpy as np
    >>> Tukey(2.0).value(np.array([1.0, 2.0, 100.0]), np.zeros(3)).round(6)
    array([0.385417, 0.666667, 0.666667])
    >>> Tukey(2.0).slope(np.array([1.0, 2.0, 100.0]), np.zeros(3))
    array([0.5625, 0.    , 0.    ])
    """

    c: float = 4.685
    form: ClassVar[Literal["residual"]] = "residual"
    convex: ClassVar[bool] = False
    smoothness: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        check.params(self, positive="c")

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        square = self._square(z, y)
        # 1 - (1 - q)^3 written out, so that tiny residuals keep their digits.
        return np.asarray(self.c**2 / 6.0 * square * (3.0 - 3.0 * square + square**2))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        # Beyond c the factor is zero, whatever the residual.
        residual = np.clip(self._residual(z, y), -self.c, self.c)
        return np.asarray(residual * (1.0 - self._square(z, y)) ** 2)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        square = self._square(z, y)
        return np.asarray((1.0 - square) * (1.0 - 5.0 * square))

    def _square(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.minimum(np.abs(self._residual(z, y)) / self.c, 1.0) ** 2)
