"""Counts of one document: how often each of many words was drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from margin.core.types import Array, Floats
from margin.linear._log_domain import finite, log_share, weighted_sum
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel


@dataclass(frozen=True)
class MultinomialColumns(ColumnModel):
    r"""Words drawn from one distribution per class.

    .. math:: \theta_k = \frac{n_k + \alpha_k}{\sum_l n_l + \alpha_l}

    The posterior mean under a Dirichlet(α) prior, the mode under Dirichlet(α + 1).

    Parameters
    ----------
    alpha : float or ndarray of shape (p,)
        Occurrences of every word that are added.
    length : float
        Words of a document when one is drawn.
    """

    alpha: Any
    length: float = 1.0

    def statistics(self, X: Any, members: Membership) -> Floats:
        """Occurrences of each word in each class, of shape (n_classes, p)."""
        return members.counts(X)[0]

    def fit(self, stats: Floats) -> MultinomialLikelihood:
        """Smoothed frequencies; equal ones where there were no words."""
        grown = stats + self.alpha
        log_theta = log_share(grown, grown.sum(axis=1, keepdims=True), 1 / grown.shape[1])
        return MultinomialLikelihood(log_theta, self.alpha, self.length)


@dataclass(frozen=True)
class MultinomialLikelihood(ColumnLikelihood):
    """Log probabilities of the words, of shape (n_classes, p).

    The multinomial coefficient, which no class changes, is left out.
    """

    log_theta: Floats
    alpha: Any = 0.0
    length: float = 1.0

    @property
    def log_penalty(self) -> float:
        """Log density of the Dirichlet(α + 1) prior."""
        return weighted_sum(self.alpha, self.log_theta)

    def log_prob(self, X: Any) -> Floats:
        """Log probability of the documents."""
        return np.asarray(X @ finite(self.log_theta).T)

    def total_log_prob(self, stats: Floats) -> float:
        """Log probability of the documents behind the counts."""
        return weighted_sum(stats, self.log_theta)

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Documents of a Poisson number of words."""
        lengths = rng.poisson(self.length, len(code))
        theta = np.exp(self.log_theta)
        theta = theta / theta.sum(axis=1, keepdims=True)
        return rng.multinomial(lengths, theta[code]).astype(np.float64)


@dataclass(frozen=True)
class PolyaLikelihood(ColumnLikelihood):
    r"""Documents with the distribution of the words integrated out (Pólya's urn).

    .. math:: \log p(x) = \log\Gamma(A) - \log\Gamma(A + n)
              + \sum_k \log\Gamma(a_k + x_k) - \log\Gamma(a_k), \qquad A = \sum_k a_k,\;
              n = \sum_k x_k

    A word that has occurred is more likely to occur again, which one fixed distribution denies.

    Parameters
    ----------
    concentration : ndarray of shape (n_classes, p)
        Prior pseudo-counts plus counts.
    alpha : float or ndarray of shape (p,)
        Prior pseudo-counts, above 0.
    length : float
        Words of a document when one is drawn.
    """

    concentration: Floats
    alpha: Any
    length: float = 1.0

    @property
    def log_penalty(self) -> float:
        """Nothing: the parameters are integrated out."""
        return 0.0

    def log_prob(self, X: Any) -> Floats:
        """Log probability of the documents."""
        rows, columns = X.nonzero()
        values = np.asarray(X[rows, columns]).ravel()
        size = np.asarray(X.sum(axis=1)).ravel()
        out = np.empty((X.shape[0], len(self.concentration)))
        for k, a in enumerate(self.concentration):
            gain = gammaln(a[columns] + values) - gammaln(a[columns])
            grown = np.bincount(rows, weights=gain, minlength=X.shape[0])
            out[:, k] = gammaln(a.sum()) - gammaln(a.sum() + size) + grown
        return out

    def total_log_prob(self, stats: Floats) -> float:
        """Log evidence of all documents of each class, read one after the other."""
        prior = np.broadcast_to(self.alpha, stats.shape)
        grown = gammaln(prior + stats) - gammaln(prior)
        whole = prior.sum(axis=1)
        return float(np.sum(grown) + np.sum(gammaln(whole) - gammaln(whole + stats.sum(axis=1))))

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Documents of a Poisson number of words, each with a distribution of its own."""
        lengths = rng.poisson(self.length, len(code))
        theta = rng.standard_gamma(self.concentration[code])
        theta = theta / np.maximum(theta.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        return rng.multinomial(lengths, theta).astype(np.float64)
