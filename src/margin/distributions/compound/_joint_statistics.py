"""Statistics of several groups of columns together."""

from dataclasses import dataclass
from typing import Any

from margin.core import check


@dataclass(frozen=True, eq=False)
class JointStatistics:
    """The statistics of each part of a product, added part by part (distributions.37).

    Parameters
    ----------
    parts : tuple
        Statistics of the parts, monoids themselves.

    Examples
    --------
    >>> from margin.distributions import Normal, Poisson
    >>> first = JointStatistics((Normal.statistics([1.0]), Poisson.statistics([2.0])))
    >>> float((first + first).parts[0].weight)
    2.0
    """

    parts: tuple[Any, ...]

    def __add__(self, other: "JointStatistics") -> "JointStatistics":
        if not isinstance(other, JointStatistics):
            return NotImplemented
        if len(self.parts) != len(other.parts):
            raise check.fail(self, "parts", f"{len(self.parts)}", len(other.parts))
        return JointStatistics(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def __radd__(self, other: int) -> "JointStatistics":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, member: int) -> "JointStatistics":
        return JointStatistics(tuple(part[member] for part in self.parts))
