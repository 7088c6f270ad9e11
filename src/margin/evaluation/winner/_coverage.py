"""Do intervals hold what they promise?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Floats


@dataclass(frozen=True)
class Coverage:
    """How many test targets lie inside their intervals.

    Parameters
    ----------
    level : float
        What was promised.
    inside, n : int
        Test rows inside, and all.
    width : float
        Median width of the intervals.
    """

    level: float
    inside: int
    n: int
    width: float

    @property
    def share(self) -> float:
        """Share of test rows inside."""
        return self.inside / self.n if self.n else float("nan")

    @property
    def text(self) -> str:
        """The measurement in a sentence.

        Examples
        --------
        >>> Coverage(0.9, 89, 100, 2.5).text
        '90 % intervals hold 89 of 100 test targets (89 %); half of them are wider than 2.5'
        """
        return (
            f"{self.level:.0%} intervals hold {self.inside} of {self.n} test targets "
            f"({self.share:.0%}); half of them are wider than {self.width:.3g}"
        ).replace("%", " %")


def coverage(y: Array, interval: Floats, level: float) -> Coverage:
    """Measure the coverage of intervals, one row of two ends each.

    Examples
    --------
    >>> import numpy as np
    >>> coverage(np.array([1.0, 5.0]), np.array([[0.0, 2.0], [0.0, 2.0]]), 0.9).inside
    1
    """
    inside = (interval[:, 0] <= y) & (y <= interval[:, 1])
    return Coverage(level, int(inside.sum()), len(y), float(np.median(np.ptp(interval, axis=1))))
