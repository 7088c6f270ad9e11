"""Normal vectors from statistics: the four kinds of covariance, by likelihood or with a prior."""

from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions._base import Belief
from margin.distributions._requirements import as_statistics
from margin.distributions.multivariate._diagonal_spread import DiagonalSpread
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._spread_stack import SpreadStack
from margin.distributions.statistics._column_moments import ColumnMoments
from margin.distributions.statistics._expected_moments import (
    expected_member_moments,
    expected_moments,
)
from margin.distributions.statistics._moments import Moments
from margin.linalg import cholesky

CovarianceType: TypeAlias = Literal["full", "tied", "diag", "spherical"]


def statistics_by_type(
    owner: str, X: ArrayLike, weight: ArrayLike | None, kind: str
) -> Moments | ColumnMoments:
    """Statistics of rows as a kind of covariance needs them."""
    _checked(owner, kind)
    return (ColumnMoments if kind in ("diag", "spherical") else Moments).of(X, weight)


def expected_by_type(
    owner: object, mean: Floats, spread: Any, X: ArrayLike, weight: ArrayLike | None
) -> Moments | ColumnMoments:
    """Statistics of rows with gaps, completed by every member."""
    if isinstance(spread, DiagonalSpread):
        return ColumnMoments.of(X, weight)
    if mean.ndim == 1:
        return expected_moments(X, weight, mean, spread.covariance)
    if mean.ndim > 2:
        raise check.fail(owner, "shape", "() to complete data, or (k,)", mean.shape[:-1])
    if weight is None or np.ndim(weight) != 2:
        wanted = f"of shape (n, {len(mean)}), a column for each member"
        raise check.fail(owner, "weight", wanted, weight if weight is None else np.shape(weight))
    shared = spread.covariance
    each = np.broadcast_to(shared, (len(mean), *shared.shape[-2:]))
    return expected_member_moments(X, weight, mean, each)


def fitted(
    owner: str, stats: Any, prior: Belief | None, kind: str | None, ridge: float
) -> tuple[Floats, Any]:
    """Means and spread of the members that statistics, and a prior, speak for."""
    if not isinstance(stats, ColumnMoments):
        target = ColumnMoments if kind in ("diag", "spherical") else Moments
        stats = stats if isinstance(stats, Moments) else as_statistics(owner, target, stats)
    kind = kind or ("diag" if isinstance(stats, ColumnMoments) else "full")
    _checked(owner, kind)
    if not 0 <= ridge < np.inf:
        raise check.fail(owner, "ridge", "a number of at least 0", ridge)
    if kind in ("diag", "spherical"):
        return _diagonal(owner, stats, prior, kind, ridge)
    if isinstance(stats, ColumnMoments):
        raise check.fail(owner, "covariance_type", "'diag' or 'spherical' for ColumnMoments", kind)
    if kind == "tied":
        return _tied(owner, stats, prior, ridge)
    if prior is not None:
        mean, covariance = prior.posterior(stats).mode
    else:
        _some_weight(owner, stats.weight)
        mean, covariance = stats.mean, stats.covariance()
    covariance = covariance + ridge * np.eye(mean.shape[-1])
    free = prior is not None
    if covariance.ndim == 2:
        return mean, _factored(owner, covariance, stats.weight, free=free)
    members = zip(covariance, np.ravel(stats.weight), strict=True)
    spreads = tuple(_factored(owner, c, w, free=free) for c, w in members)
    return mean, SpreadStack(spreads, covariance.shape[:-2])


def _diagonal(
    owner: str, stats: Any, prior: Belief | None, kind: str, ridge: float
) -> tuple[Floats, DiagonalSpread]:
    if isinstance(stats, Moments):
        diagonal = np.diagonal(stats.scatter, axis1=-2, axis2=-1)
        weight = np.broadcast_to(np.asarray(stats.weight)[..., None], stats.mean.shape)
        stats = ColumnMoments(weight, stats.mean, diagonal)
    if prior is not None:
        mean, variance = prior.posterior(stats).mode
        if kind == "spherical":
            raise check.fail(owner, "prior", "absent for a spherical covariance", prior)
    else:
        _some_weight(owner, stats.weight)
        mean, variance = stats.mean, stats.scatter / stats.weight
        if kind == "spherical":
            one = stats.scatter.sum(axis=-1) / stats.weight.sum(axis=-1)
            variance = np.broadcast_to(one[..., None], mean.shape)
    variance = np.array(variance + ridge)
    if not np.all(variance > 0):
        raise FitError(
            f"{owner}: data must have more than one value in every column, or a prior, "
            "got a variance of 0"
        )
    variance.flags.writeable = False
    return mean, DiagonalSpread(variance)


def _tied(owner: str, stats: Moments, prior: Belief | None, ridge: float) -> tuple[Floats, Spread]:
    """One covariance from the scatters about the members' own means."""
    d = stats.mean.shape[-1]
    total = float(np.sum(stats.weight))
    if prior is None:
        _some_weight(owner, stats.weight)
        mean, covariance = stats.mean, stats.scatter.reshape(-1, d, d).sum(axis=0) / total
    else:
        # Each mean adds -1/2 log det to the joint density of the covariance and all of them.
        after: Any = prior.posterior(stats)
        before: Any = prior
        mean, members = after.mean, np.size(stats.weight)
        scale = before.scale + (after.scale - before.scale).reshape(-1, d, d).sum(axis=0)
        covariance = scale / (before.df + total + d + 1 + members)
    covariance = covariance + ridge * np.eye(d)
    return mean, _factored(owner, covariance, total, free=prior is not None)


def _factored(owner: str, covariance: Floats, weight: float, *, free: bool) -> Spread:
    """The covariance with its factor; without a prior, nothing is repaired."""
    try:
        factor = cholesky(covariance, name="covariance", max_jitter=1e-6 if free else 0.0)
    except FitError as error:
        raise FitError(
            f"{owner}: data must span all {len(covariance)} dimensions, or have a "
            f"prior, got a singular covariance from a total weight of {weight:g}"
        ) from error
    return Spread(factor, "covariance")


def _some_weight(owner: str, weight: Any) -> None:
    if not np.all(np.asarray(weight) > 0):
        raise check.fail(owner, "data", "observed for every member", "a total weight of 0")


def _checked(owner: str, kind: str) -> None:
    if kind not in get_args(CovarianceType):
        wanted = "one of 'full', 'tied', 'diag', 'spherical'"
        raise check.fail(owner, "covariance_type", wanted, kind)
