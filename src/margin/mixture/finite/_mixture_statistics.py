"""What the M step of a mixture needs: a monoid over blocks of rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.distributions import ColumnMoments, Moments


@dataclass(frozen=True, eq=False)
class MixtureStatistics:
    """Bound, shares and moments of rows; those of several blocks add up.

    Parameters
    ----------
    bound : float
        Sum of the bounds of the rows.
    weight : float
        Sum of their weights.
    total : ndarray of shape (k,)
        How much belongs to each component.
    moments : Moments or ColumnMoments
        Of ``k`` members.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Moments
    >>> rows, share = np.array([[0.0], [1.0]]), np.ones((2, 1))
    >>> one = MixtureStatistics(-1.0, 2.0, share.sum(0), Moments.of(rows, share))
    >>> (one + one.scaled(0.5)).weight, one.scaled(2.0).moments.scatter.tolist()
    (3.0, [[[1.0]]])
    """

    bound: float
    weight: float
    total: Floats
    moments: Any

    def __add__(self, other: "MixtureStatistics") -> "MixtureStatistics":
        if not isinstance(other, MixtureStatistics):
            return NotImplemented
        return MixtureStatistics(
            self.bound + other.bound,
            self.weight + other.weight,
            self.total + other.total,
            self.moments + other.moments,
        )

    def __radd__(self, other: int) -> "MixtureStatistics":
        """Let ``sum`` start from 0."""
        return self if other == 0 else NotImplemented

    def scaled(self, factor: float) -> "MixtureStatistics":
        """Statistics of the same rows, each counted ``factor`` times."""
        old = self.moments
        kind = Moments if isinstance(old, Moments) else ColumnMoments
        return MixtureStatistics(
            self.bound * factor,
            self.weight * factor,
            self.total * factor,
            kind(old.weight * factor, old.mean, old.scatter * factor),
        )


def shifted_moments(total: Floats, first: Floats, second: Floats, centres: Floats) -> Moments:
    """Moments about the means, from sums about other centres."""
    share = np.where(total > 0, total, 1.0)
    shift = first / share[:, None]
    scatter = second - shift[:, :, None] * first[:, None, :]
    # Where the shift was long, rounding may leave a variance below zero.
    diagonal = np.einsum("kii->ki", scatter)
    np.maximum(diagonal, 0.0, out=diagonal)
    return Moments(total, np.where((total > 0)[:, None], centres + shift, 0.0), scatter)


def shifted_columns(
    weight: Floats, first: Floats, second: Floats, centres: Floats
) -> ColumnMoments:
    """The same for columns by themselves, each with a weight of its own."""
    seen = weight > 0
    shift = first / np.where(seen, weight, 1.0)
    scatter = np.maximum(second - shift * first, 0.0)
    return ColumnMoments(weight, np.where(seen, centres + shift, 0.0), scatter)


def blended(old: MixtureStatistics, new: MixtureStatistics, rate: float) -> MixtureStatistics:
    """Statistics of the past and of a batch, for the weight of both together.

    Priors then count against all that was seen, and not against the last batch.
    """
    both = old.weight + new.weight
    return old.scaled((1 - rate) * both / old.weight) + new.scaled(rate * both / new.weight)
