"""Gaussian mixtures as a problem for expectation maximisation."""

from dataclasses import dataclass, replace

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.inference import Assignment, Expectation, Repaired, Tempered
from margin.mixture.finite._conjugate_prior import ConjugatePrior
from margin.mixture.finite._gaussian_expectation import expected_statistics
from margin.mixture.finite._gaussians import COLLAPSED, Gaussians
from margin.mixture.finite._mixture_statistics import MixtureStatistics
from margin.mixture.finite._row_groups import Stream, Table

_DEAD = 1e-12
_COLLAPSE = 1e-12
_MEND = 1e-6


@dataclass(frozen=True, eq=False)
class GaussianSteps:
    r"""The two steps for a Gaussian mixture with variance :math:`\epsilon` added.

    .. math:: \frac{1}{\sum_i w_i} \sum_i w_i \log \sum_k \pi_k\, N(x_{io}; \mu_k, \Sigma_k)\,
              e^{-\frac\epsilon2 \operatorname{tr} \Sigma_k^{-1}}

    The M step is :math:`\Sigma_k = S_k / n_k + \epsilon I`, which maximises exactly this: the mean
    log-likelihood of rows that were moved by noise of variance :math:`\epsilon`. It has a bound,
    so that nothing collapses while :math:`\epsilon > 0` (mixture.03).

    Parameters
    ----------
    rows : Table or Stream
    ridge : float
        :math:`\epsilon`.
    scale : ndarray of shape (d,)
        Variances of all rows: a component of less than a tiny share of one has collapsed.
    assignment : Assignment or None
    n_threads : int
    prior : ConjugatePrior or None
        Its log density is added to the log-likelihood, and the M step finds the mode.
    """

    rows: Table | Stream
    ridge: float
    scale: Floats
    assignment: Assignment | None = None
    n_threads: int = 1
    prior: ConjugatePrior | None = None

    def expect(self, at: Gaussians) -> Expectation[MixtureStatistics]:
        """Mean bound of the rows, and their statistics."""
        stats = expected_statistics(
            at,
            self.rows.passes(),
            damping=self.ridge,
            assignment=self.assignment,
            n_threads=self.n_threads,
        )
        bound = stats.bound if self.prior is None else stats.bound + self.prior.log_prob(at)
        return Expectation(bound / stats.weight, stats)

    def at_beta(self, at: Gaussians, beta: float) -> Expectation[MixtureStatistics]:
        """The E step at an inverse temperature."""
        return replace(self, assignment=Tempered(beta)).expect(at)

    def maximise(self, stats: MixtureStatistics, at: Gaussians) -> Gaussians | Repaired[Gaussians]:
        """Weights, means and covariances given the statistics."""
        return gaussian_fit(stats, at, self.ridge, self.scale, self.prior)


def gaussian_fit(
    stats: MixtureStatistics,
    at: Gaussians,
    ridge: float,
    scale: Floats,
    prior: ConjugatePrior | None = None,
) -> Gaussians | Repaired[Gaussians]:
    """The most likely parameters; a component without rows rests where it was, with weight zero.

    With a prior they are the most probable ones.

    Raises
    ------
    FitError
        A component has collapsed and no variance is added.
    """
    total = stats.total
    alive = total > _DEAD * stats.weight
    newly = ~alive & (at.weights > 0) & (prior is None or prior.concentration == 1)
    weights = np.where(alive, total, 0.0)
    weights = weights / weights.sum() if prior is None else prior.weights(weights)
    held = prior is not None and prior.belief is not None
    if prior is not None and held:
        means, covariances = prior.spread(stats, at, ridge, alive)
    else:
        means, covariances = _spread(stats, at, ridge, alive)
    if ridge == 0.0 and not held:
        _refuse_collapse(at.kind, covariances, alive, scale)
    new, repairs = Gaussians.of(
        weights, means, covariances, at.kind, max_jitter=_MEND if ridge else 0.0
    )
    told = tuple(f"component {j} has no rows left: it rests" for j in np.flatnonzero(newly))
    return Repaired(new, (*told, *repairs)) if told or repairs else new


def _spread(
    stats: MixtureStatistics, at: Gaussians, ridge: float, alive: np.ndarray
) -> tuple[Floats, Floats]:
    """Means and covariances of components; those at rest keep theirs."""
    moments, d = stats.moments, at.dim
    if at.kind in ("full", "tied"):
        means = np.where(alive[:, None], moments.mean, at.means)
        if at.kind == "tied":
            pooled = moments.scatter[alive].sum(axis=0) / stats.total[alive].sum()
            return means, pooled + ridge * np.eye(d)
        share = np.where(alive, stats.total, 1.0)[:, None, None]
        each = moments.scatter / share + ridge * np.eye(d)
        return means, np.where(alive[:, None, None], each, at.covariances)
    seen = alive[:, None] & (moments.weight > 0)
    means = np.where(seen, moments.mean, at.means)
    if at.kind == "diag":
        each = moments.scatter / np.where(seen, moments.weight, 1.0) + ridge
        return means, np.where(seen, each, at.covariances)
    counted = np.where(seen, moments.weight, 0.0).sum(axis=1)
    scatter = np.where(seen, moments.scatter, 0.0).sum(axis=1)
    one = scatter / np.where(counted > 0, counted, 1.0) + ridge
    return means, np.where(counted > 0, one, at.covariances)


def _refuse_collapse(kind: str, covariances: Floats, alive: np.ndarray, scale: Floats) -> None:
    """Refuse variances that are nothing beside those of all rows."""
    if kind in ("full", "tied"):
        variances = np.diagonal(covariances, axis1=-2, axis2=-1)
    else:
        variances = covariances if kind == "diag" else covariances[:, None]
    floor = _COLLAPSE * (scale if kind != "spherical" else scale.mean(keepdims=True))
    thin = ~(variances > floor)
    if (thin if kind == "tied" else thin[alive]).any():
        raise FitError(COLLAPSED)
