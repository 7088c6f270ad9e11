"""Poisson deviance."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.native.rows import losses as native


@dataclass(frozen=True)
class Poisson(Loss):
    r"""Half the deviance of a count with mean :math:`e^z`, the logarithmic link.

    .. math:: \ell(z, y) = e^z - y z + y \log y - y \ge 0

    Zero where the mean is the count; minimising it is maximum likelihood of the Poisson law, a
    regression loss for counting noise, whose variance grows with the mean (losses.14).

    Examples
    --------
    >>> import numpy as np
    >>> Poisson().value(np.log([2.0, 1.0]), np.array([2.0, 0.0])).round(12)
    array([0., 1.])
    """

    form: ClassVar[Literal["counts"]] = "counts"
    native_id: ClassVar[int] = native.POISSON

    def targets(self, y: Any) -> Floats:
        counts = floats(self, "y", y)
        if counts.min(initial=0.0) < 0:
            raise check.fail(self, "y", "at least 0 everywhere", float(counts.min()))
        return counts

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = floats(self, "z", z), floats(self, "y", y)
        shift = z - np.log(np.where(y > 0, y, 1.0))
        # For y > 0 it is y (e^s - 1 - s) with s = z - log y, without cancellation near s = 0.
        return np.where(y > 0, y * _excess(np.where(y > 0, shift, 0.0)), np.exp(z))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.exp(floats(self, "z", z)) - floats(self, "y", y))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.exp(floats(self, "z", z)))

    def sweep(
        self,
        z: Floats,
        y: NDArray[Any],
        weight: Floats | None,
        *,
        curvature: bool = False,
        n_threads: int = 1,
    ) -> tuple[float, Floats, Floats | None]:
        slope = np.empty_like(z)
        bend = np.empty_like(z) if curvature else None
        value = native.loss_sweep(self.native_id, z, y, weight, slope, bend, n_threads)
        return value, slope, bend

    def log_likelihood_shift(self, y: NDArray[Any]) -> Floats:
        r"""What separates the loss from minus the log-likelihood: :math:`\log y! - y\log y + y`."""
        return np.asarray(gammaln(np.asarray(y) + 1.0) - xlogy(y, y) + y)


def _excess(s: Floats) -> Floats:
    """``e^s - 1 - s``, by its series where the difference would cancel."""
    near = np.abs(s) < 1e-3
    series = 0.5 * s**2 * (1.0 + s / 3.0 * (1.0 + s / 4.0))
    return np.where(near, series, np.expm1(s) - s)
