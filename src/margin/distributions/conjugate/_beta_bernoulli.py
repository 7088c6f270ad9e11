"""Beliefs about a probability of success."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, digamma

from margin.core.types import Floats
from margin.distributions._parameters import parameter, shown, together
from margin.distributions._parametric import supported
from margin.distributions._rows import sums_over_columns
from margin.distributions.continuous._beta import Beta
from margin.distributions.discrete._bernoulli import Bernoulli
from margin.distributions.discrete._beta_binomial import BetaBinomial
from margin.distributions.statistics._totals import Totals


@dataclass(frozen=True, eq=False, repr=False)
class BetaBernoulli:
    r"""Beta belief about the probability of Bernoulli trials or binomial counts.

    .. math:: \theta \sim \mathrm{Beta}(a, b), \qquad x \mid \theta \sim \mathrm{Bernoulli}(\theta)

    (distributions.31, distributions.35.)

    Parameters
    ----------
    a, b : array-like
        Above 0: successes and failures that the belief is worth, together :attr:`strength`.

    Examples
    --------
    >>> tosses = [1, 1, 0, 0, 0, 1, 1]
    >>> belief = BetaBernoulli(1.0, 1.0).posterior(tosses)
    >>> belief, float(belief.mean.round(6)), float(belief.mode.round(6))
    (BetaBernoulli(a=5., b=4.), 0.555556, 0.571429)
    >>> float(np.exp(BetaBernoulli(1.0, 1.0).log_evidence(tosses)).round(8))
    0.00357143
    """

    a: Floats
    b: Floats

    def __init__(self, a: ArrayLike = 1.0, b: ArrayLike = 1.0) -> None:
        given = together(
            self,
            a=parameter(self, "a", a, positive=True),
            b=parameter(self, "b", b, positive=True),
        )
        for name, value in zip(("a", "b"), given, strict=True):
            object.__setattr__(self, name, value)

    @property
    def distribution(self) -> Beta:
        """Of the probability."""
        return Beta(self.a, self.b)

    @property
    def mean(self) -> Floats:
        """Expected probability: what the next trial is predicted with."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> Floats:
        """Most probable value; the mean where every value, or both ends, are as probable."""
        mode = self.distribution.mode
        return np.where(np.isnan(mode), self.mean, mode)

    @property
    def strength(self) -> Floats:
        """How many trials the belief is worth (distributions.35)."""
        return self.a + self.b

    def posterior(self, stats: Totals | ArrayLike) -> Self:
        """Belief after successes and failures: both are added."""
        totals = _totals(stats)
        return type(self)(self.a + totals.total[..., 0], self.b + totals.total[..., 1])

    def predictive(self, n: ArrayLike | None = None) -> Bernoulli | BetaBinomial:
        """Distribution of the next trial, or of the successes in the next ``n``."""
        return Bernoulli(self.mean) if n is None else BetaBinomial(n, self.a, self.b)

    def log_evidence(self, stats: Totals | ArrayLike) -> Floats:
        r"""Log probability of the data, :math:`\log B(a_n, b_n) - \log B(a, b)`.

        For binomial counts the log coefficients are added.
        """
        totals = _totals(stats)
        after = self.posterior(totals)
        value = betaln(after.a, after.b) - betaln(self.a, self.b)
        return np.asarray(value + totals.total[..., 2:].sum(axis=-1))

    def expected_log_prob(self, X: ArrayLike) -> Floats:
        r"""Expectation of the log probability of every row of trials; NaN adds nothing.

        :math:`x\,\psi(a) + (1 - x)\,\psi(b) - \psi(a + b)`, of shape (n,) or (n, k).
        """
        yes = digamma(self.a) - digamma(self.a + self.b)
        no = digamma(self.b) - digamma(self.a + self.b)

        def density(x: Floats) -> Floats:
            supported(self, x, (x == 0) | (x == 1), "0, 1")
            return np.where(np.isnan(x), 0.0, np.where(x == 1, yes, no))

        return sums_over_columns(self, density, self.a.shape, X)

    def kl(self, other: "BetaBernoulli") -> Floats:
        """Divergence of this belief from another: its price in a variational bound."""
        return self.distribution.kl(other.distribution)

    def __getitem__(self, key: Any) -> Self:
        return type(self)(self.a[key], self.b[key])

    def __repr__(self) -> str:
        return f"BetaBernoulli(a={shown(self.a)}, b={shown(self.b)})"


def _totals(stats: Any) -> Totals:
    return stats if isinstance(stats, Totals) else Bernoulli.statistics(stats)
