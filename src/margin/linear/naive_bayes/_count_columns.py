"""Columns of yes or no, of numbers of events, and of counts of one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import gammaln

from margin.core.types import Array, Floats
from margin.linear._log_domain import finite, log, log_share, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel


@dataclass(frozen=True)
class BernoulliColumns(ColumnModel):
    r"""Columns of zeros and ones: :math:`\theta = (n_1 + \alpha) / (n + 2\alpha)` per class.

    The posterior mean, and the full Bayesian prediction, under a Beta(α, α) prior; the posterior
    mode under Beta(α + 1, α + 1).

    Parameters
    ----------
    alpha : float or ndarray of shape (p,)
        Observations of either kind that are added.
    """

    alpha: Any

    def statistics(self, X: Any, members: Membership) -> Floats:
        """Weight of the observed entries and of the ones, of shape (2, n_classes, p)."""
        return members.sums(X)

    def fit(self, stats: Floats) -> BernoulliLikelihood:
        """Smoothed frequencies; one half where nothing was observed."""
        count, ones = stats
        log_one = log_share(ones + self.alpha, count + 2 * self.alpha, 0.5)
        log_zero = log_share(count - ones + self.alpha, count + 2 * self.alpha, 0.5)
        return BernoulliLikelihood(log_one, log_zero, self.alpha)


@dataclass(frozen=True)
class BernoulliLikelihood(ColumnLikelihood):
    """Log probabilities of one and of zero, of shape (n_classes, p)."""

    log_one: Floats
    log_zero: Floats
    alpha: Any = 0.0

    @property
    def log_penalty(self) -> float:
        """Log density of the Beta(α + 1, α + 1) prior."""
        return weighted_sum(self.alpha, self.log_one) + weighted_sum(self.alpha, self.log_zero)

    def log_prob(self, X: Any) -> Floats:
        """Log probability of rows of zeros and ones."""
        one, zero = finite(self.log_one), finite(self.log_zero)
        if sparse.issparse(X) or not np.isnan(np.sum(X)):
            return np.asarray(X @ (one - zero).T + zero.sum(axis=1))
        seen = ~np.isnan(X)
        return np.asarray(np.where(seen, X, 0.0) @ (one - zero).T + seen @ zero.T)

    def total_log_prob(self, stats: Floats) -> float:
        """Log probability of the rows behind the counts."""
        count, ones = stats
        return weighted_sum(ones, self.log_one) + weighted_sum(count - ones, self.log_zero)

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Zeros and ones."""
        chance = np.exp(self.log_one)[code]
        return (rng.random(chance.shape) < chance).astype(np.float64)


@dataclass(frozen=True)
class PoissonColumns(ColumnModel):
    r"""Numbers of events: rate :math:`\lambda = (\sum x + \alpha m) / (n + \alpha)` per class.

    The posterior mode under a Gamma prior worth :math:`\alpha` observations of the overall mean
    :math:`m`.

    Parameters
    ----------
    alpha : float
        Observations the prior is worth.
    mean : ndarray of shape (p,)
        Mean over all classes.
    """

    alpha: float
    mean: Floats

    @classmethod
    def of(cls, X: Array, weight: Floats | None, alpha: float) -> PoissonColumns:
        """Mean of the columns over all rows."""
        one = Membership.hard(np.zeros(len(X), dtype=np.int64), 1, weight)
        count, total = one.sums(X)
        return cls(alpha, (total / np.where(count > 0, count, 1.0))[0])

    def statistics(self, X: Array, members: Membership) -> Floats:
        """Weight of the observed entries, their sum, and the sum of their log factorials."""
        return np.concatenate([members.sums(X), members.sums(gammaln(X + 1.0))[1:]])

    def fit(self, stats: Floats) -> PoissonLikelihood:
        """Smoothed rates; the overall mean where nothing was observed."""
        strength = stats[0] + self.alpha
        pooled = stats[1] + self.alpha * self.mean
        rate = np.where(strength > 0, pooled / np.where(strength > 0, strength, 1.0), self.mean)
        return PoissonLikelihood(rate, self.alpha, self.mean)


@dataclass(frozen=True)
class PoissonLikelihood(ColumnLikelihood):
    """Rates of shape (n_classes, p), and the prior they were found under."""

    rate: Floats
    alpha: float
    prior_mean: Floats

    @property
    def log_penalty(self) -> float:
        """Log density of the Gamma prior."""
        pull = weighted_sum(self.prior_mean, log(self.rate)) - float(np.sum(self.rate))
        return self.alpha * pull if self.alpha else 0.0

    def log_prob(self, X: Array) -> Floats:
        """Log probability of rows of counts."""
        seen = ~np.isnan(X)
        counts = np.where(seen, X, 0.0)
        constant = gammaln(counts + 1.0).sum(axis=1)
        scores = counts @ finite(log(self.rate)).T - seen @ self.rate.T
        return np.asarray(scores - constant[:, None])

    def total_log_prob(self, stats: Floats) -> float:
        """Log probability of the rows behind the counts."""
        count, total, factorials = stats
        return weighted_sum(total, log(self.rate)) - float(np.sum(count * self.rate + factorials))

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Numbers of events."""
        return rng.poisson(self.rate[code]).astype(np.float64)
