"""The Bernoulli distribution of one trial."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr

from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import SummedFamily, proportion, supported
from margin.distributions._requirements import Seed, source
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class Bernoulli(SummedFamily):
    r"""One trial, or an array of independent ones (distributions.03).

    .. math:: p(x) = \theta^x (1 - \theta)^{1 - x}, \qquad x \in \{0, 1\}

    Parameters
    ----------
    probability : array-like
        :math:`\theta`, from 0 to 1.

    Examples
    --------
    >>> coin = Bernoulli(0.3)
    >>> float(coin.mean), float(coin.var.round(12))
    (0.3, 0.21)
    >>> Bernoulli.fit([1, 1, 0, 0, 0, 1, 1])
    Bernoulli(probability=0.5714)
    """

    probability: Floats

    def __init__(self, probability: ArrayLike) -> None:
        given = parameter(self, "probability", probability)
        self._store(probability=proportion(self, "probability", given))

    @property
    def mean(self) -> Floats:
        return self.probability

    @property
    def var(self) -> Floats:
        return self.probability * (1.0 - self.probability)

    @property
    def mode(self) -> Floats:
        """The likelier outcome; 0 where both are as likely."""
        return np.where(self.probability > 0.5, 1.0, 0.0)

    @property
    def skewness(self) -> Floats:
        """NaN where the outcome is certain."""
        return self._over_var(1.0 - 2.0 * self.probability, 0.5)

    @property
    def kurtosis(self) -> Floats:
        """Excess over the normal distribution; NaN where the outcome is certain."""
        return self._over_var(1.0 - 6.0 * self.var, 1.0)

    @property
    def entropy(self) -> Floats:
        """In nats; 0 where the outcome is certain."""
        return np.asarray(entr(self.probability) + entr(1.0 - self.probability))

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        with np.errstate(divide="ignore"):
            yes, no = np.log(self.probability), np.log1p(-self.probability)
        value = np.where(at == 1, yes, np.where(at == 0, no, -np.inf))
        return np.where(np.isnan(at), 0.0, value)

    def cdf(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        value = np.where(at < 0, 0.0, np.where(at < 1, 1.0 - self.probability, 1.0))
        return np.where(np.isnan(at), np.nan, value)

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        # The rounding of one less the probability must not pass the level.
        return np.where(levels * (1.0 - 1e-12) > 1.0 - self.probability, 1.0, 0.0)

    def sample(self, n: int, rng: Seed) -> Floats:
        draws = source(self, n, rng).random((n, *self.shape))
        return (draws < self.probability).astype(np.float64)

    def kl(self, other: "Bernoulli") -> Floats:
        """Divergence to another (distributions.21)."""
        p, q = self.probability, other.probability
        return np.asarray(rel_entr(p, q) + rel_entr(1.0 - p, 1.0 - q))

    def natural(self) -> tuple[Floats, Floats]:
        r""":math:`(\log\theta, \log(1 - \theta))`, and nothing to normalise."""
        with np.errstate(divide="ignore"):
            logs = np.stack([np.log(self.probability), np.log1p(-self.probability)], axis=-1)
        return logs, np.zeros(self.shape)

    @classmethod
    def sufficient(cls, x: Floats) -> Floats:
        """Successes and failures."""
        x = supported(cls.__name__, x, (x == 0) | (x == 1), "0, 1")
        return np.stack([x, 1.0 - x], axis=-1)

    @classmethod
    def fit(cls, stats: Totals | ArrayLike, prior: Belief | None = None) -> Self:
        """Share of successes, or the mode of the posterior with a ``BetaBernoulli`` prior."""
        if prior is not None:
            return cls(prior.posterior(cls._totals(stats)).mode)
        return cls(np.clip(cls._observed(stats).means[..., 0], 0.0, 1.0))

    def _over_var(self, above: Floats, power: float) -> Floats:
        safe = np.where(self.var > 0, self.var, 1.0)
        return np.where(self.var > 0, above / safe**power, np.nan)
