"""The γ-exponential kernel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.radial._radial import Radial
from margin.native.kernels import kernel_maps


@dataclass(frozen=True)
class GammaExponential(Radial):
    r"""The γ-exponential kernel :math:`\exp(-r^\gamma)`, :math:`0 < \gamma \le 2` (kernels.08).

    .. math:: r^2 = \sum_j \frac{(x_j - z_j)^2}{\ell_j^2}.

    :math:`\gamma = 1` is the Ornstein–Uhlenbeck kernel; :math:`\gamma = 2` is the Gaussian of
    length scale :math:`\ell / \sqrt2`. Above 2 it is not positive definite.

    Parameters
    ----------
    length_scale : float or sequence of float
        Unit of distance, one for all columns or one each.
    gamma : float
        The power, above 0 and at most 2.

    Examples
    --------
    >>> GammaExponential(1.0, 1.5)([[0.0]], [[4.0]]).round(8)
    array([[0.00033546]])
    """

    length_scale: float | tuple[float, ...] = 1.0
    gamma: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale", "gamma")
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"gamma": (1e-2, 2.0)}

    def __post_init__(self) -> None:
        super().__post_init__()
        # exp(log(2)) may be one rounding above 2.
        if not isinstance(self.gamma, float) or self.gamma > 2.0 * (1.0 + 1e-12):
            raise check.fail(self, "gamma", "a number above 0 and at most 2", self.gamma)
        object.__setattr__(self, "gamma", min(self.gamma, 2.0))

    def profile(self, s: Floats) -> Floats:
        return np.exp(-(s ** (0.5 * self.gamma)))

    def slope(self, s: Floats) -> Floats:
        power = s ** (0.5 * self.gamma)
        slopes = self.gamma * power * np.exp(-power) / np.maximum(s, 1e-14)
        return np.where(s > 0, slopes, 0.0)

    def shape_slope(self, s: Floats) -> Floats:
        power = s ** (0.5 * self.gamma)
        safe = np.where(s > 0, s, 1.0)
        return -np.exp(-power) * power * 0.5 * self.gamma * np.log(safe)

    def _compiled(self) -> tuple[int, float]:
        return kernel_maps.GAMMA_EXPONENTIAL, self.gamma
