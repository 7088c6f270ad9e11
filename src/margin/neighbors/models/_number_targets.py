"""Targets that are numbers, one or several columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats


@dataclass(frozen=True, eq=False)
class NumberTargets:
    """Numbers of rows, one column per target.

    Parameters
    ----------
    values : ndarray of shape (n, n_outputs)
    many : bool
        Whether the numbers came as a table.
    """

    values: Floats
    many: bool

    @classmethod
    def of(cls, owner: object, y: Any) -> NumberTargets:
        """Finite numbers, a vector or a table."""
        try:
            values = np.asarray(y, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise check.fail(owner, "y", "numbers", y) from error
        return cls(values.reshape(len(values), -1), values.ndim == 2)

    def shaped(self, values: Floats) -> Array:
        """Values of shape (n, n_outputs) as ``y`` was."""
        return values if self.many else values[:, 0]
