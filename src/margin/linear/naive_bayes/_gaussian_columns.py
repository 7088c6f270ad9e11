"""Columns that are normal in every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Array, Floats
from margin.linear._class_statistics import ClassMoments
from margin.linear._membership import Membership
from margin.linear.naive_bayes._column_models import ColumnLikelihood, ColumnModel
from margin.native.rows import naive_bayes

_LOG_2PI = float(np.log(2 * np.pi))
_LEAST_SHARE = 1e-9
_ROUNDING = 1e-14


@dataclass(frozen=True)
class GaussianColumns(ColumnModel):
    r"""Normal columns whose variances are drawn towards those over all classes.

    The prior on a variance is :math:`-\tfrac\alpha2 (\log v + v_0 / v)`, so that the most probable
    one is :math:`v = (S + \alpha v_0) / (n + \alpha)`; means are those of the class. A variance is
    never below a billionth of :math:`v_0`.

    Parameters
    ----------
    alpha : float
        Observations the prior is worth.
    mean, var : ndarray of shape (p,)
        Mean and variance over all classes; what a class without observations gets.
    n_threads : int
        Threads of the compiled passes.
    """

    alpha: float
    mean: Floats
    var: Floats
    n_threads: int = 1

    @classmethod
    def of(
        cls, X: Array, weight: Floats | None, alpha: float, n_threads: int = 1
    ) -> GaussianColumns:
        """Mean and variance of the columns over all rows."""
        one = Membership.hard(np.zeros(len(X), dtype=np.int64), 1, weight, n_threads)
        mean, var = overall(one.moments(X))
        return cls(alpha, mean, or_one(var), n_threads)

    def statistics(self, X: Array, members: Membership) -> ClassMoments:
        """Weight, mean and scatter of every column in every class."""
        return members.moments(X)

    def fit(self, stats: ClassMoments) -> GaussianLikelihood:
        """Means, and variances drawn towards the overall ones."""
        seen = stats.count > 0
        mean = np.where(seen, stats.mean, self.mean)
        strength = stats.count + self.alpha
        pooled = stats.scatter + self.alpha * self.var
        var = np.where(strength > 0, pooled / np.where(strength > 0, strength, 1.0), self.var)
        var = np.maximum(var, _LEAST_SHARE * self.var)
        prior = -0.5 * self.alpha * float(np.sum(np.log(var) + self.var / var))
        return GaussianLikelihood(mean, var, prior, self.n_threads)


@dataclass(frozen=True)
class GaussianLikelihood(ColumnLikelihood):
    """Means and variances of shape (n_classes, p)."""

    mean: Floats
    var: Floats
    penalty: float = 0.0
    n_threads: int = 1

    @property
    def log_penalty(self) -> float:
        """Log density of the prior on the variances."""
        return self.penalty

    def log_prob(self, X: Array) -> Floats:
        """Log density of the rows, by a compiled loop."""
        var = np.maximum(self.var, np.finfo(float).tiny)  # one over a smaller one overflows
        constant = -0.5 * (_LOG_2PI + np.log(var))
        return naive_bayes.normal_scores(
            np.ascontiguousarray(X), self.mean, 0.5 / var, constant, self.n_threads
        )

    def total_log_prob(self, stats: ClassMoments) -> float:
        """Log density of the rows behind the moments."""
        away = stats.scatter + stats.count * (stats.mean - self.mean) ** 2
        return -0.5 * float(np.sum(stats.count * (_LOG_2PI + np.log(self.var)) + away / self.var))

    def sample(self, code: Array, rng: np.random.Generator) -> Floats:
        """Normal rows."""
        noise = rng.standard_normal((len(code), self.mean.shape[1]))
        return self.mean[code] + np.sqrt(self.var)[code] * noise


def overall(moments: ClassMoments) -> tuple[Floats, Floats]:
    """Mean and variance of the columns over all classes; a variance of rounding is zero."""
    count = moments.count.sum(axis=0)
    safe = np.where(count > 0, count, 1.0)
    mean = (moments.count * moments.mean).sum(axis=0) / safe
    between = (moments.count * (moments.mean - mean) ** 2).sum(axis=0)
    var = (moments.scatter.sum(axis=0) + between) / safe
    return mean, np.where(var > (_ROUNDING * mean) ** 2, var, 0.0)


def or_one(var: Floats) -> Floats:
    """Variances with 1 in place of 0: any width serves a column that does not vary."""
    return np.where(var > 0, var, 1.0)
