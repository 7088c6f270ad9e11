"""Gamma deviance."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss, floats


@dataclass(frozen=True)
class Gamma(Loss):
    r"""Half the deviance of a positive amount with mean :math:`e^z`, the logarithmic link.

    .. math:: \ell(z, y) = y e^{-z} + z - \log y - 1 \ge 0

    Zero where the mean is the amount; minimising it is maximum likelihood of the gamma law, a
    regression loss for noise in proportion to the mean: costs, durations, rainfall (losses.14).

    Examples
    --------
    >>> import numpy as np
    >>> Gamma().value(np.log([2.0, 1.0]), np.array([2.0, 2.0])).round(6)
    array([0.      , 0.306853])
    """

    form: ClassVar[Literal["counts"]] = "counts"

    def targets(self, y: Any) -> Floats:
        amounts = floats(self, "y", y)
        if amounts.size and not amounts.min() > 0:
            raise check.fail(self, "y", "above 0 everywhere", float(amounts.min()))
        return amounts

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        shift = floats(self, "z", z) - np.log(floats(self, "y", y))
        # e^-s - 1 + s, by its series where the difference would cancel.
        near = np.abs(shift) < 1e-3
        series = 0.5 * shift**2 * (1.0 - shift / 3.0 * (1.0 - shift / 4.0))
        return np.where(near, series, np.expm1(-shift) + shift)

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(1.0 - floats(self, "y", y) * np.exp(-floats(self, "z", z)))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(floats(self, "y", y) * np.exp(-floats(self, "z", z)))
