"""What a prior changes: most probable against most likely, and beliefs put at a point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._requirements import numbers


class GapReport(NamedTuple):
    """Sizes of samples, and both estimates of the mean and of the variance at each."""

    n: Floats
    likely_mean: Floats
    probable_mean: Floats
    likely_var: Floats
    probable_var: Floats

    @property
    def gap(self) -> Floats:
        """Distance of the means; it falls like one over the size."""
        away = (self.probable_mean - self.likely_mean).reshape(len(self.n), -1)
        return np.asarray(np.sqrt((away**2).sum(axis=1)))


def map_ml_gap(
    family: Any, prior: Belief, X: ArrayLike, sizes: Sequence[int] | None = None
) -> GapReport:
    """How far the most probable member of a family is from the most likely (distributions.26).

    For the first rows of a sample, more and more of them: what the prior says fades like one over
    their number, and a flat prior says nothing from the start.

    Parameters
    ----------
    family : type
        With ``statistics`` and ``fit``.
    prior : Belief
        Conjugate to it.
    X : array-like of shape (n, ...)
    sizes : sequence of int, optional
        Numbers of rows; powers of two by default.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Bernoulli, BetaBernoulli
    >>> tosses = np.tile([1.0, 0.0, 1.0, 1.0], 64)
    >>> map_ml_gap(Bernoulli, BetaBernoulli(3.0, 3.0), tosses, [4, 16, 64, 256]).gap.round(4)
    array([0.125 , 0.05  , 0.0147, 0.0038])
    """
    rows = numbers("map_ml_gap", "X", X)
    chosen = sizes
    if chosen is None:
        chosen = [2**k for k in range(2, int(np.log2(max(len(rows), 1))) + 1)]
    if not chosen or max(chosen) > len(rows) or min(chosen) < 1:
        raise check.fail("map_ml_gap", "sizes", f"from 1 to {len(rows)}", chosen)
    columns: list[list[Floats]] = [[], [], [], []]
    for n in chosen:
        stats = family.statistics(rows[:n])
        likely, probable = family.fit(stats), family.fit(stats, prior)
        values = (likely.mean, probable.mean, likely.var, probable.var)
        for column, value in zip(columns, values, strict=True):
            column.append(np.asarray(value))
    return GapReport(np.array(chosen, dtype=np.float64), *(np.array(c) for c in columns))


@dataclass(frozen=True, eq=False)
class DeltaPosterior:
    """All belief at the most probable member of a family (distributions.28).

    Its prediction is that member itself, which is surer than the full belief: what it leaves out
    is the uncertainty of the parameters.

    Parameters
    ----------
    member : distribution
        The most probable one.
    """

    member: Any

    @classmethod
    def of(cls, family: Any, prior: Belief, stats: Any) -> "DeltaPosterior":
        """The most probable member given a prior and statistics, or rows.

        Examples
        --------
        >>> from margin.distributions import Bernoulli, BetaBernoulli
        >>> crude = DeltaPosterior.of(Bernoulli, BetaBernoulli(1.0, 1.0), [1, 1, 0])
        >>> full = BetaBernoulli(1.0, 1.0).posterior([1, 1, 0])
        >>> float(crude.predictive().mean.round(4)), float(full.predictive().mean.round(4))
        (0.6667, 0.6)
        """
        return cls(family.fit(stats, prior))

    def predictive(self) -> Any:
        """Distribution of the next observation."""
        return self.member

    def log_prob_rows(self, X: ArrayLike) -> Floats:
        """Predicted log density of every row."""
        return np.asarray(self.member.log_prob_rows(X))
