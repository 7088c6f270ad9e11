"""No penalty."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from margin.core.types import Floats
from margin.penalties._base import Penalty


@dataclass(frozen=True)
class Zero(Penalty):
    """No penalty at all, :math:`J(w) = 0`.

    Examples
    --------
    >>> import numpy as np
    >>> Zero().value(np.ones(3))
    0.0
    """

    smooth: ClassVar[bool] = True

    @property
    def elastic(self) -> tuple[float, float]:
        """No strength."""
        return 0.0, 0.0

    def value(self, w: Floats) -> float:
        return 0.0

    def gradient(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def curvature(self, w: Floats) -> Floats:
        return np.zeros_like(w)

    def prox(self, w: Floats, step: float) -> Floats:
        return w.copy()
