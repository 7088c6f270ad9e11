"""Ridge penalty."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.penalties._base import Penalty


@dataclass(frozen=True)
class L2(Penalty):
    r"""Half the squared norm, :math:`J(w) = \tfrac\alpha2 \|w\|^2` (penalties.01).

    For a matrix the norm is Frobenius'. It is the negative logarithm of a Gaussian prior of
    precision ``alpha``, and makes the objective strongly convex.

    Parameters
    ----------
    alpha : float
        Strength, at least 0.

    Examples
    --------
    >>> import numpy as np
    >>> L2(2.0).value(np.array([1.0, 3.0])), L2(1.0).prox(np.array([4.0]), step=1.0)
    (10.0, array([2.]))
    """

    alpha: float = 1.0
    smooth: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check.params(self, nonnegative="alpha")

    @property
    def elastic(self) -> tuple[float, float]:
        """Squares only."""
        return 0.0, float(self.alpha)

    @property
    def quadratic_form(self) -> tuple[float, None]:
        """The identity."""
        return float(self.alpha), None

    def value(self, w: Floats) -> float:
        return 0.5 * self.alpha * float(np.vdot(w, w))

    def gradient(self, w: Floats) -> Floats:
        return self.alpha * w

    def curvature(self, w: Floats) -> Floats:
        return np.full_like(w, self.alpha)

    def prox(self, w: Floats, step: float) -> Floats:
        return w / (1.0 + step * self.alpha)
