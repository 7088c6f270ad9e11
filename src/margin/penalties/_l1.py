"""Lasso penalty."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty


@dataclass(frozen=True)
class L1(Penalty):
    r"""Sum of absolute values, :math:`J(w) = \alpha \|w\|_1` (penalties.02).

    Its proximal operator is the soft threshold
    :math:`\operatorname{sign}(w) \max(|w| - \alpha\,\mathrm{step}, 0)`, which sets small
    coefficients to exactly zero.

    Parameters
    ----------
    alpha : float
        Strength, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> L1(1.0).prox(np.array([3.0, -0.5]), step=1.0)
    array([ 2., -0.])
    """

    alpha: float = 1.0
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check.params(self, nonnegative="alpha")

    @property
    def elastic(self) -> tuple[float, float]:
        """Absolute values only."""
        return float(self.alpha), 0.0

    def value(self, w: Floats) -> float:
        return self.alpha * float(np.abs(w).sum())

    def gradient(self, w: Floats) -> Floats:
        return self.alpha * np.sign(w)

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        at_zero = np.sign(slope) * np.maximum(np.abs(slope) - self.alpha, 0.0)
        return np.where(w == 0.0, at_zero, slope + self.alpha * np.sign(w))

    def curvature(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def prox(self, w: Floats, step: float) -> Floats:
        return np.sign(w) * np.maximum(np.abs(w) - step * self.alpha, 0.0)
