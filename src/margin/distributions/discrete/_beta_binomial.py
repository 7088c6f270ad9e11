"""The beta-binomial distribution: successes whose probability is uncertain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln

from margin.core import check
from margin.core.types import Floats
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import Parametric, is_count
from margin.distributions._requirements import Seed, source
from margin.distributions.discrete._count_entropy import count_entropy


@dataclass(frozen=True, eq=False, repr=False)
class BetaBinomial(Parametric):
    r"""Successes in ``n`` trials with a beta-distributed probability, or an array of them.

    .. math:: p(k) = \binom nk \frac{B(k + a, n - k + b)}{B(a, b)}, \qquad k = 0, \dots, n

    The prediction of :class:`BetaBernoulli` for several trials.

    Parameters
    ----------
    n : array-like
        Trials.
    a, b : array-like
        Of the beta distribution, above 0.

    Examples
    --------
    >>> np.exp(BetaBinomial(2, 1.0, 1.0).log_prob([0, 1, 2])).round(12)
    array([0.33333333, 0.33333333, 0.33333333])
    """

    n: Floats
    a: Floats
    b: Floats

    def __init__(self, n: ArrayLike, a: ArrayLike, b: ArrayLike) -> None:
        trials = parameter(self, "n", n)
        if not is_count(trials).all():
            raise check.fail(self, "n", "a count", trials[~is_count(trials)][0])
        self._store(
            n=trials,
            a=parameter(self, "a", a, positive=True),
            b=parameter(self, "b", b, positive=True),
        )

    @property
    def mean(self) -> Floats:
        return self.n * self.a / (self.a + self.b)

    @property
    def var(self) -> Floats:
        total = self.a + self.b
        spread = self.a * self.b * (total + self.n) / (total**2 * (total + 1.0))
        return np.asarray(self.n * spread)

    @property
    def entropy(self) -> Floats:
        """In nats, summed over the counts."""
        return count_entropy(self)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        possible = is_count(at) & (at <= self.n)
        k = np.where(possible, at, 0.0)
        value = -betaln(k + 1.0, self.n - k + 1.0) - np.log(self.n + 1.0)
        value = value + betaln(k + self.a, self.n - k + self.b) - betaln(self.a, self.b)
        return np.where(np.isnan(at), 0.0, np.where(possible, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        """Probability of at most ``x``, summed over the counts."""
        k = np.floor(points(self, x))
        table = self._cumulative()
        last = np.clip(np.nan_to_num(k), 0, table.shape[-1] - 1).astype(np.intp)
        shape = np.broadcast_shapes(last.shape, self.shape)
        table = np.broadcast_to(table, (*shape, table.shape[-1]))
        below = np.take_along_axis(table, np.broadcast_to(last, shape)[..., None], axis=-1)[..., 0]
        value = np.where(k < 0, 0.0, np.where(k >= self.n, 1.0, below))
        return np.where(np.isnan(k), np.nan, value)

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        reached = self._cumulative() >= (levels * (1.0 - 1e-12))[..., None]
        return np.asarray(np.minimum(reached.argmax(axis=-1).astype(np.float64), self.n))

    def sample(self, n: int, rng: Seed) -> Floats:
        generator = source(self, n, rng)
        chance = generator.beta(self.a, self.b, size=(n, *self.shape))
        return generator.binomial(self.n.astype(np.int64), chance).astype(np.float64)

    def _cumulative(self) -> Floats:
        counts = np.arange(float(self.n.max(initial=0.0)) + 1.0)
        ladder = counts.reshape((-1,) + (1,) * len(self.shape))
        density = np.moveaxis(np.exp(self.log_prob(ladder)), 0, -1)
        total = np.cumsum(density, axis=-1)
        return np.asarray(total / total[..., -1:])
