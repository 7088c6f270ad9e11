"""Quantile (pinball) loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss, floats


@dataclass(frozen=True)
class Quantile(Loss):
    r"""Pinball: prices of predicting too low and too high in the ratio :math:`q : 1 - q`.

    .. math:: \ell(z, y) = q \max(y - z, 0) + (1 - q) \max(z - y, 0)

    Its minimiser over a constant is the ``q``-quantile; for ``q=0.5`` it is half the absolute loss
    (losses.14).

    Parameters
    ----------
    q : float
        Level, strictly between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> Quantile(0.75).value(np.array([0.0, 0.0]), np.array([2.0, -2.0]))
    array([1.5, 0.5])
    """

    q: float = 0.5
    form: ClassVar[Literal["residual"]] = "residual"
    differentiable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, positive="q")
        if self.q >= 1:
            raise check.fail(self, "q", "a number below 1", self.q)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        short = -self._residual(z, y)
        return np.maximum(self.q * short, (self.q - 1.0) * short)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        short = -self._residual(z, y)
        return np.where(short > 0, -self.q, np.where(short < 0, 1.0 - self.q, 0.0))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(floats(self, "z", z))
