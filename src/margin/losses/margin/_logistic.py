"""Logistic loss."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, xlogy

from margin.core.types import Floats
from margin.losses._base import Loss, floats
from margin.losses.margin._margin import shares
from margin.native.rows import losses as native

_OUTSIDE = 1e-9  # by which rounding may carry a probability beyond 0 or 1


@dataclass(frozen=True)
class Logistic(Loss):
    r"""Logistic loss (binary cross-entropy) of a log-odds score (losses.08).

    For targets :math:`y \in [0, 1]`,

    .. math:: \ell(z, y) = \log(1 + e^z) - y z,

    which for labels :math:`t = 2y - 1 \in \{-1, +1\}` is :math:`\log(1 + e^{-t z})`; both codings
    of labels are taken. Its slope is
    :math:`\sigma(z) - y` and its curvature :math:`\sigma(z)(1 - \sigma(z)) \le \tfrac14`.
    Every formula is evaluated without cancellation, so tiny losses keep their digits.

    Examples
    --------
    >>> import numpy as np
    >>> Logistic().value(np.array([0.0]), np.array([1.0])).round(6)
    array([0.693147])
    """

    form: ClassVar[Literal["margin"]] = "margin"
    smoothness: ClassVar[float] = 0.25
    has_conjugate: ClassVar[bool] = True
    native_id: ClassVar[int] = native.LOGISTIC

    def targets(self, y: Any) -> Floats:
        return shares(y, self)

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = floats(self, "z", z), shares(y, self)
        hinge = np.where(z >= 0, (1 - y) * z, -y * z)
        return np.asarray(hinge + np.log1p(np.exp(-np.abs(z))))

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = floats(self, "z", z), shares(y, self)
        return np.asarray((1 - y) * expit(z) - y * expit(-z))

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        z = floats(self, "z", z)
        return np.asarray(expit(z) * expit(-z))

    def conjugate(self, slope: Any, y: Any) -> Floats:
        r"""Negative entropy :math:`p \log p + (1 - p) \log(1 - p)` of :math:`p = u + y`."""
        share = floats(self, "slope", slope) + shares(y, self)
        p = np.minimum(np.maximum(share, 0.0), 1.0)
        value = np.asarray(xlogy(p, p) + xlogy(1 - p, 1 - p))
        outside = np.abs(share - p) > _OUTSIDE
        return np.where(outside, np.inf, value) if outside.any() else value

    def sweep(
        self,
        z: Floats,
        y: NDArray[Any],
        weight: Floats | None,
        *,
        curvature: bool = False,
        n_threads: int = 1,
    ) -> tuple[float, Floats, Floats | None]:
        y = shares(y, self)
        slope = np.empty_like(z)
        bend = np.empty_like(z) if curvature else None
        value = native.loss_sweep(self.native_id, z, y, weight, slope, bend, n_threads)
        return value, slope, bend
