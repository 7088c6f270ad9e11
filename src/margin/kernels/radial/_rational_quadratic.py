"""The rational quadratic kernel."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.kernels._base import Floats
from margin.kernels.radial._radial import Radial
from margin.native.kernels import kernel_maps


@dataclass(frozen=True)
class RationalQuadratic(Radial):
    r"""Rational quadratic, or inverse quadric, kernel (kernels.10).

    .. math:: k(x, z) = \Bigl(1 + \frac{r^2}{2\alpha}\Bigr)^{-\alpha},
        \qquad r^2 = \sum_j \frac{(x_j - z_j)^2}{\ell_j^2}.

    A mixture of Gaussian kernels of all length scales, which become one as
    :math:`\alpha \to \infty`. :math:`\alpha = \tfrac12` is the inverse multiquadric,
    :math:`\alpha = 1` the inverse quadric.

    Parameters
    ----------
    length_scale : float or sequence of float
        Unit of distance, one for all columns or one each.
    alpha : float
        How alike the mixed length scales are, above 0.

    Examples
    --------
    >>> [round(float(RationalQuadratic(1.0, a)([[0]], [[1]])[0, 0]), 6) for a in (0.5, 1.0)]
    [0.707107, 0.666667]
    """

    length_scale: float | tuple[float, ...] = 1.0
    alpha: float = 1.0
    hyper: ClassVar[tuple[str, ...]] = ("length_scale", "alpha")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.alpha, float):
            raise check.fail(self, "alpha", "one number above 0", self.alpha)

    def profile(self, s: Floats) -> Floats:
        return np.exp(-self.alpha * np.log1p(s / (2.0 * self.alpha)))

    def slope(self, s: Floats) -> Floats:
        return np.exp(-(self.alpha + 1.0) * np.log1p(s / (2.0 * self.alpha)))

    def shape_slope(self, s: Floats) -> Floats:
        u = s / (2.0 * self.alpha)
        return self.alpha * self.profile(s) * (u / (1.0 + u) - np.log1p(u))

    def _compiled(self) -> tuple[int, float]:
        return kernel_maps.RATIONAL_QUADRATIC, self.alpha
