"""The binomial distribution of successes in a number of trials."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, rel_entr, xlog1py, xlogy
from scipy.stats import binom

from margin.core import check
from margin.core.types import Floats
from margin.distributions._base import Belief, ExponentialFamily
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import Parametric, is_count, proportion, supported
from margin.distributions._requirements import Seed, numbers, source
from margin.distributions.discrete._count_entropy import count_entropy
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class Binomial(Parametric, ExponentialFamily):
    r"""Successes in ``n`` trials, or an array of independent counts (distributions.04).

    .. math:: p(k) = \binom nk \theta^k (1 - \theta)^{n - k}, \qquad k = 0, \dots, n

    Parameters
    ----------
    n : array-like
        Trials, a count; :math:`k = n` is possible.
    probability : array-like
        :math:`\theta`, from 0 to 1.

    Examples
    --------
    >>> np.exp(Binomial(4, 0.5).log_prob([0, 1, 4, 5]))
    array([0.0625, 0.25  , 0.0625, 0.    ])
    """

    n: Floats
    probability: Floats

    def __init__(self, n: ArrayLike, probability: ArrayLike) -> None:
        trials = parameter(self, "n", n)
        if not is_count(trials).all():
            raise check.fail(self, "n", "a count", trials[~is_count(trials)][0])
        given = parameter(self, "probability", probability)
        self._store(n=trials, probability=proportion(self, "probability", given))

    @property
    def mean(self) -> Floats:
        return self.n * self.probability

    @property
    def var(self) -> Floats:
        return self.n * self.probability * (1.0 - self.probability)

    @property
    def mode(self) -> Floats:
        r""":math:`\lfloor (n + 1)\theta \rfloor`, at most ``n``."""
        return np.minimum(np.floor((self.n + 1.0) * self.probability), self.n)

    @property
    def skewness(self) -> Floats:
        """NaN where the count is certain."""
        safe = np.where(self.var > 0, self.var, 1.0)
        value = (1.0 - 2.0 * self.probability) / np.sqrt(safe)
        return np.where(self.var > 0, value, np.nan)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution; NaN where the count is certain."""
        safe = np.where(self.var > 0, self.var, 1.0)
        value = (1.0 - 6.0 * self.probability * (1.0 - self.probability)) / safe
        return np.where(self.var > 0, value, np.nan)

    @property
    def entropy(self) -> Floats:
        """In nats, summed over all counts."""
        return count_entropy(self)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        possible = is_count(at) & (at <= self.n)
        k = np.where(possible, at, 0.0)
        value = gammaln(self.n + 1.0) - gammaln(k + 1.0) - gammaln(self.n - k + 1.0)
        with np.errstate(divide="ignore"):
            value = value + xlogy(k, self.probability) + xlog1py(self.n - k, -self.probability)
        return np.where(np.isnan(at), 0.0, np.where(possible, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        k = np.floor(points(self, x))
        inner = np.where((k >= 0) & (k < self.n), k, 0.0)
        below = binom.cdf(inner, np.maximum(self.n, 1.0), self.probability)
        value = np.where(k < 0, 0.0, np.where(k >= self.n, 1.0, below))
        return np.where(np.isnan(k), np.nan, value)

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        value = binom.ppf(np.where(levels == 0, 0.5, levels), self.n, self.probability)
        return np.where(levels == 0, 0.0, value)

    def sample(self, n: int, rng: Seed) -> Floats:
        trials = self.n.astype(np.int64)
        draws = source(self, n, rng).binomial(trials, self.probability, size=(n, *self.shape))
        return draws.astype(np.float64)

    def kl(self, other: "Binomial") -> Floats:
        """Divergence to another with as many trials (distributions.21)."""
        if not np.all(self.n == other.n):
            raise check.fail(self, "n", "the same for both", other.n)
        p, q = self.probability, other.probability
        return np.asarray(self.n * (rel_entr(p, q) + rel_entr(1.0 - p, 1.0 - q)))

    @classmethod
    def statistics(
        cls, X: ArrayLike, weight: ArrayLike | None = None, *, n: ArrayLike = 1
    ) -> Totals:
        """Successes, failures and log coefficients of the counts ``X``, each of ``n`` trials.

        Parameters
        ----------
        X : array-like of shape (n,) or (n, d)
        weight : array-like of shape (n,) or (n, k), optional
        n : array-like
            Trials, broadcast against ``X``.
        """
        x, trials = numbers(cls.__name__, "X", X), numbers(cls.__name__, "n", n)
        trials = np.broadcast_to(trials, x.shape)
        x = supported(cls.__name__, x, is_count(x) & (x <= trials), "a count of at most n")
        choices = gammaln(trials + 1.0) - gammaln(x + 1.0) - gammaln(trials - x + 1.0)
        return Totals.of(np.stack([x, trials - x, choices], axis=-1), weight)

    @classmethod
    def fit(cls, stats: Any, prior: Belief | None = None, *, n: ArrayLike = 1) -> Self:
        """Share of successes, or the mode of the posterior with a ``BetaBernoulli`` prior.

        Parameters
        ----------
        stats : Totals or array-like
            From :meth:`statistics`, or counts of ``n`` trials each.
        prior : BetaBernoulli, optional
        n : array-like
            Trials of the distribution returned.
        """
        if not isinstance(stats, Totals):
            stats = cls.statistics(stats, n=n)
        if prior is not None:
            return cls(n, prior.posterior(stats).mode)
        trials = stats.total[..., 0] + stats.total[..., 1]
        if not np.all(trials > 0):
            wanted = "of a trial in every column, or have a prior"
            raise check.fail(cls.__name__, "data", wanted, "none")
        return cls(n, np.clip(stats.total[..., 0] / trials, 0.0, 1.0))
