"""Elastic-net penalty."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty


@dataclass(frozen=True)
class ElasticNet(Penalty):
    r"""Absolute values and squares mixed, :math:`J(w) = \lambda_1 \|w\|_1 +
    \tfrac{\lambda_2}2 \|w\|^2` (penalties.03).

    Here :math:`\lambda_1 = \alpha\rho` and :math:`\lambda_2 = \alpha(1 - \rho)` with :math:`\rho`
    the ``l1_ratio``. The proximal operator is the soft threshold of the lasso followed by the
    shrinkage of ridge. Unlike the lasso it is strongly convex for :math:`\rho < 1`, so equal
    columns share their coefficient instead of leaving it to one of them.

    Parameters
    ----------
    alpha : float
        Strength, at least 0.
    l1_ratio : float
        Share of the absolute values, between 0 (:class:`L2`) and 1 (:class:`L1`).

    Examples
    --------
    >>> import numpy as np
    >>> ElasticNet(2.0, 0.5).value(np.array([1.0, -3.0]))
    9.0
    >>> ElasticNet(2.0, 0.5).prox(np.array([3.0, -0.5]), step=1.0)
    array([ 1., -0.])
    """

    alpha: float = 1.0
    l1_ratio: float = 0.5
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, nonnegative="alpha", fraction="l1_ratio")

    @property
    def l1(self) -> float:
        """Strength of the absolute values."""
        return self.alpha * self.l1_ratio

    @property
    def l2(self) -> float:
        """Strength of the squares."""
        return self.alpha * (1.0 - self.l1_ratio)

    @property
    def elastic(self) -> tuple[float, float]:
        """Both strengths."""
        return float(self.l1), float(self.l2)

    def value(self, w: Floats) -> float:
        return self.l1 * float(np.abs(w).sum()) + 0.5 * self.l2 * float(np.vdot(w, w))

    def gradient(self, w: Floats) -> Floats:
        return np.asarray(self.l1 * np.sign(w) + self.l2 * w)

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        at_zero = np.sign(slope) * np.maximum(np.abs(slope) - self.l1, 0.0)
        return np.where(w == 0.0, at_zero, slope + self.gradient(w))

    def curvature(self, w: Floats) -> Floats:
        return np.full_like(w, self.l2)

    def prox(self, w: Floats, step: float) -> Floats:
        shrunk = np.sign(w) * np.maximum(np.abs(w) - step * self.l1, 0.0)
        return np.asarray(shrunk / (1.0 + step * self.l2))
