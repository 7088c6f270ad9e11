"""The E step of Gaussian mixtures, gaps integrated out exactly."""

from collections.abc import Iterable

import numpy as np

from margin.core import check
from margin.core.types import Array, Floats
from margin.distributions import ColumnMoments, Moments, MultivariateNormal
from margin.inference import Assignment, Hard, Soft, Tempered
from margin.mixture.finite._gaussians import LOG_2PI, Gaussians
from margin.mixture.finite._mixture_statistics import (
    MixtureStatistics,
    shifted_columns,
    shifted_moments,
)
from margin.mixture.finite._row_groups import RowGroup, row_groups
from margin.native.mixture import expectation as compiled
from margin.native.mixture.columns import expected_columns

# Columns from which products of matrices are as fast as the compiled pass, and need less memory.
WIDE = 96
_BLOCK = 4096


def expected_statistics(
    at: Gaussians,
    groups: Iterable[RowGroup],
    *,
    extra: Floats | None = None,
    damping: float = 0.0,
    assignment: Assignment | None = None,
    n_threads: int = 1,
) -> MixtureStatistics:
    r"""Shares of rows in the components and the moments they lead to.

    The log joint density is :math:`\log\pi_k + \log N(x_o; \mu_k, \Sigma_k) + e_k -
    \tfrac\epsilon2 \operatorname{tr}\Sigma_k^{-1}` of what was observed. Moments of full
    covariances are completed in expectation, given what was observed and the component; those of
    diagonal ones leave gaps out, which is as exact.

    Parameters
    ----------
    at : Gaussians
    groups : iterable of RowGroup
    extra : ndarray of shape (k,), optional
        :math:`e_k`, what variational inference adds.
    damping : float
        :math:`\epsilon`, the variance added to every covariance by the M step: with it in the
        density, no step lowers the bound.
    assignment : Assignment, optional
        How rows are shared out, :class:`Soft` by default.
    n_threads : int

    Notes
    -----
    :math:`n k d^2` multiplications in one pass, for every pattern of gaps :math:`k d^3` more.
    Complete rows need no table of n × k numbers.
    """
    rule = assignment or Soft()
    level = at.log_weights if extra is None else at.log_weights + extra
    if at.kind in ("diag", "spherical"):
        parts = (_of_columns(at, g, level, damping, rule, n_threads) for g in groups)
        return sum(parts)  # type: ignore[return-value]
    level = level - 0.5 * damping * at.traces
    bound, weight = 0.0, 0.0
    k, d = at.means.shape
    total, first, second = np.zeros(k), np.zeros((k, d)), np.zeros((k, d, d))
    for group in groups:
        value, *sums = _of_pattern(at, group, level, rule, n_threads)
        bound, weight = bound + value, weight + group.total
        total, first, second = total + sums[0], first + sums[1], second + sums[2]
    return MixtureStatistics(bound, weight, total, shifted_moments(total, first, second, at.means))


def _of_pattern(
    at: Gaussians, group: RowGroup, level: Floats, rule: Assignment, n_threads: int
) -> tuple[float, Floats, Floats, Floats]:
    """Bound and moments about the means, of rows with the same gaps."""
    seen, d = group.columns, at.dim
    if not len(seen):
        return _of_nothing(at, group, level, rule)
    roots, heights = at.part(seen)
    means = np.ascontiguousarray(at.means[:, seen])
    constants = level + heights
    beta = _inverse_temperature(rule)
    if beta is not None and len(seen) <= WIDE:
        bound, total, first, second = compiled.expected_moments(
            group.X, group.weight, means, roots, constants, beta=beta, n_threads=n_threads
        )
    else:
        table = compiled.log_joint(group.X, means, roots, constants, n_threads=n_threads)
        share, bounds = rule(table)
        bound = _weighted(bounds, group.weight)
        share = share if group.weight is None else share * group.weight[:, None]
        if len(seen) > WIDE:
            total, first, second = _wide_moments(group.X, share, means)
        else:
            _, total, first, second = compiled.shared_moments(
                group.X, None, share, means, n_threads=n_threads
            )
    if len(seen) == d:
        return bound, total, first, second
    # Gaps are linear in what was seen: their mean is gain @ deviation, their covariance the rest.
    whole = at.matrices
    gain = np.swapaxes(roots, 1, 2) @ (roots @ whole[:, seen, :])
    lift = np.swapaxes(gain, 1, 2)
    rest = whole - whole[:, :, seen] @ gain
    rest[:, seen, :] = 0.0
    rest[:, :, seen] = 0.0
    completed = lift @ second @ gain + total[:, None, None] * rest
    return bound, total, (lift @ first[:, :, None])[:, :, 0], completed


def _wide_moments(X: Array, share: Floats, means: Floats) -> tuple[Floats, Floats, Floats]:
    """Moments about the means by products of matrices, one component after the other."""
    first = np.empty_like(means)
    second = np.zeros((*means.shape, means.shape[1]))
    for k, mean in enumerate(means):
        first[k] = 0.0
        for start in range(0, len(X), _BLOCK):
            away = X[start : start + _BLOCK] - mean
            own = away * share[start : start + _BLOCK, k, None]
            first[k] += own.sum(axis=0)
            second[k] += own.T @ away
    return share.sum(axis=0), first, second


def _of_nothing(
    at: Gaussians, group: RowGroup, level: Floats, rule: Assignment
) -> tuple[float, Floats, Floats, Floats]:
    """Rows of which nothing was observed belong to the components by weight."""
    share, bounds = rule(np.broadcast_to(level, (len(group.X), len(level))))
    weight = np.ones(len(share)) if group.weight is None else group.weight
    total = weight @ share
    spread = total[:, None, None] * at.matrices
    return _weighted(bounds, group.weight), total, np.zeros_like(at.means), spread


def _of_columns(
    at: Gaussians,
    group: RowGroup,
    level: Floats,
    damping: float,
    rule: Assignment,
    n_threads: int,
) -> MixtureStatistics:
    """Statistics of independent columns."""
    beta = _inverse_temperature(rule)
    if beta is not None:
        cost = 0.5 * (np.log(at.variances) + LOG_2PI + damping / at.variances)
        expected = expected_columns(
            group.X,
            group.weight,
            at.means,
            1 / np.sqrt(at.variances),
            cost,
            level,
            beta=beta,
            n_threads=n_threads,
        )
        moments = shifted_columns(expected.weight, expected.first, expected.second, at.means)
        return MixtureStatistics(expected.bound, group.total, expected.total, moments)
    table = log_densities(at, group.X) + level
    if damping:
        gaps = np.isnan(group.X)
        pull = 0.5 * damping / at.variances
        table = table - (~gaps @ pull.T if gaps.any() else pull.sum(axis=1))
    share, bounds = rule(table)
    if group.weight is not None:
        share = share * group.weight[:, None]
    moments = ColumnMoments.of(group.X, share)
    return MixtureStatistics(
        _weighted(bounds, group.weight), group.total, share.sum(axis=0), moments
    )


def log_densities(at: Gaussians, X: Array, n_threads: int = 1) -> Floats:
    """Log density of what was observed of every row under every component, of shape (n, k)."""
    if at.kind in ("diag", "spherical"):
        members = MultivariateNormal(at.means, variance=at.variances)
        return members.log_prob_rows(X)
    value = np.zeros((len(X), len(at.means)))
    if not np.isnan(X).any():
        roots, heights = at.part(np.arange(at.dim))
        return compiled.log_joint(X, at.means, roots, heights, n_threads=n_threads)
    marked = row_groups(X, np.arange(len(X), dtype=np.float64), split=True)
    for group in marked:
        if not len(group.columns) or group.weight is None:
            continue
        roots, heights = at.part(group.columns)
        means = np.ascontiguousarray(at.means[:, group.columns])
        rows = group.weight.astype(np.intp)
        value[rows] = compiled.log_joint(group.X, means, roots, heights, n_threads=n_threads)
    return value


def completed_columns(stats: MixtureStatistics, at: Gaussians) -> MixtureStatistics:
    """Statistics of independent columns with their gaps filled in expectation."""
    seen: ColumnMoments = stats.moments
    gaps = np.maximum(stats.total[:, None] - seen.weight, 0.0)
    filled = seen + ColumnMoments(gaps, at.means, gaps * at.variances)
    return MixtureStatistics(stats.bound, stats.weight, stats.total, filled)


def diagonal(moments: Moments) -> ColumnMoments:
    """Moments of the columns by themselves."""
    weight = np.broadcast_to(np.asarray(moments.weight)[:, None], moments.mean.shape)
    return ColumnMoments(weight, moments.mean, np.diagonal(moments.scatter, axis1=1, axis2=2))


def _inverse_temperature(rule: Assignment) -> float | None:
    """What the compiled pass knows a rule by; ``None`` for the others."""
    if isinstance(rule, Soft):
        return 1.0
    if isinstance(rule, Hard):
        return float(np.inf)
    return float(rule.beta) if isinstance(rule, Tempered) else None


def _weighted(bounds: Floats, weight: Floats | None) -> float:
    if weight is None:
        return float(bounds.sum())
    counted = weight > 0
    return float(weight[counted] @ bounds[counted])


def observed_columns(owner: object, X: Array) -> Array:
    """A table of which every column was observed somewhere."""
    unseen = np.flatnonzero(np.isnan(X).all(axis=0))
    if len(unseen):
        raise check.fail(
            owner, "X", "observed somewhere in every column", f"only NaN in column {unseen[0]}"
        )
    return X
