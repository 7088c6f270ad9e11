"""Means and scatter of Gaussian classes, from rows with or without holes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from margin.core import Solution
from margin.core.types import Array, Floats, Places
from margin.distributions import Moments, MultivariateNormal
from margin.inference import Expectation, expectation_maximisation
from margin.linalg import cholesky
from margin.linear._class_statistics import ClassMoments, ClassScatter
from margin.native.rows.table_sum import table_sum

_TOL = 1e-10
_MOST_STEPS = 1000


class Gaussians(NamedTuple):
    """Means of shape (K, p) and covariances of shape (1, p, p) if shared, else (K, p, p)."""

    means: Floats
    covariances: Floats


def class_scatter(
    X: Array,
    code: Places,
    n_classes: int,
    weight: Floats | None,
    *,
    pooled: bool,
    floor: float,
    n_threads: int,
) -> tuple[ClassScatter, Solution | None]:
    """Statistics of the classes, and the search that completed them where ``X`` holds NaN.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Rows; NaN means unobserved.
    code, n_classes, weight
        Class of each row, and its weight.
    pooled : bool
        Whether the classes share one covariance.
    floor : float
        Share of the variances over all classes that is added to the diagonal of every covariance
        on the way, so that none is singular.
    n_threads : int
        Threads of the compiled passes.

    Returns
    -------
    ClassScatter
        Of the rows; expected ones, given what was observed, where there are holes.
    Solution or None
        Of expectation maximisation: its objective is minus the mean log-likelihood of the observed
        values, each row under its own class.
    """
    if np.isfinite(table_sum(X, n_threads)) or not np.isnan(X).any():
        stats = ClassScatter.of(X, code, n_classes, weight, pooled=pooled, n_threads=n_threads)
        return stats, None
    rows = np.asarray(X, dtype=np.float64)
    shares = np.ones(len(rows)) if weight is None else weight
    parts = tuple((rows[code == k], shares[code == k]) for k in range(n_classes))
    problem = ObservedClasses(parts, ClassMoments.of(rows, code, n_classes, weight), pooled, floor)
    solution = expectation_maximisation(
        problem.expect,
        problem.maximise,
        [problem.start],
        tol=_TOL,
        max_iter=_MOST_STEPS,
        advice=("shrink the covariance", "leave out columns that are hardly observed"),
    )
    return problem.scatter(solution.extras["statistics"]), solution


@dataclass(frozen=True)
class ObservedClasses:
    r"""The likelihood of the observed values of Gaussian classes, as a problem for EM.

    .. math:: \sum_k \sum_{i: y_i = k} s_i \log N(x_{io}; \mu_{ko}, \Sigma_{k,oo})
              - \tfrac{\epsilon}{2} \sum_k n_k \operatorname{tr}(V \Sigma_k^{-1})

    with :math:`V` the variances over all classes. A step completes the statistics of every class in
    expectation, :math:`\Sigma_k = S_k / n_k + \epsilon V` maximises the value given them.

    Parameters
    ----------
    parts : tuple of (ndarray, ndarray)
        Rows and weights of each class.
    columns : ClassMoments
        Moments of the observed values of each column.
    pooled : bool
        Whether :math:`\Sigma` is the same for all classes.
    floor : float
        :math:`\epsilon`.
    """

    parts: tuple[tuple[Floats, Floats], ...]
    columns: ClassMoments
    pooled: bool
    floor: float

    @cached_property
    def variance(self) -> Floats:
        """Variances over all classes, 1 for a column that does not vary."""
        count = np.maximum(self.columns.count.sum(axis=0), 1e-300)
        mean = self._overall_mean
        between = (self.columns.count * (self.columns.mean - mean) ** 2).sum(axis=0)
        variance = (self.columns.scatter.sum(axis=0) + between) / count
        return np.where(variance > (1e-14 * mean) ** 2, variance, 1.0)

    @cached_property
    def _overall_mean(self) -> Floats:
        count = self.columns.count
        total = np.maximum(count.sum(axis=0), 1e-300)
        return np.asarray((count * self.columns.mean).sum(axis=0) / total)

    @property
    def start(self) -> Gaussians:
        """Means of what was observed, and the variances over all classes."""
        means = np.where(self.columns.count > 0, self.columns.mean, self._overall_mean)
        number = 1 if self.pooled else len(self.parts)
        return Gaussians(means, np.broadcast_to(np.diag(self.variance), (number, *self._square)))

    @property
    def _square(self) -> tuple[int, int]:
        return len(self.variance), len(self.variance)

    def expect(self, at: Gaussians) -> Expectation[list[Moments]]:
        """Mean value, and the expected statistics of every class."""
        value, moments = 0.0, []
        for k, (rows, weight) in enumerate(self.parts):
            covariance = at.covariances[0 if self.pooled else k]
            density = MultivariateNormal(at.means[k], covariance)
            value += float(weight @ density.log_prob(rows)) - self._pull(covariance, weight.sum())
            moments.append(density.expected_statistics(rows, weight))
        return Expectation(value / float(self.columns.total.sum()), moments)

    def _pull(self, covariance: Floats, total: float) -> float:
        inverse = cholesky(covariance, name="covariance").solve(np.diag(self.variance))
        return 0.5 * self.floor * total * float(np.trace(inverse))

    def maximise(self, moments: list[Moments], at: Gaussians) -> Gaussians:
        """Means, and covariances kept off the singular ones."""
        stats = self.scatter(moments)
        totals = stats.total.sum(keepdims=True) if self.pooled else stats.total
        covariances = stats.scatter / totals[:, None, None] + self.floor * np.diag(self.variance)
        return Gaussians(stats.mean, covariances)

    def scatter(self, moments: list[Moments]) -> ClassScatter:
        """The statistics of all classes as one value."""
        scatter = np.stack([part.scatter for part in moments])
        return ClassScatter(
            np.array([part.weight for part in moments]),
            np.stack([part.mean for part in moments]),
            scatter.sum(axis=0, keepdims=True) if self.pooled else scatter,
        )
