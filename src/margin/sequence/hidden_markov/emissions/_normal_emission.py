"""Normal vectors in every state, with all four kinds of covariance."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError, check
from margin.core.types import Floats
from margin.distributions import ColumnMoments, Moments, MultivariateNormal
from margin.native.chains.moments import MOST_COLUMNS, weighted_moments
from margin.native.rows.densities import gaussian_log_density
from margin.sequence.hidden_markov.emissions._emission import Emission, column_spread


@dataclass(frozen=True)
class NormalLaws:
    """Means (K, d) and covariances (K, d, d) of the states; equal ones where they are tied."""

    mean: Floats
    covariance: Floats

    @cached_property
    def distribution(self) -> MultivariateNormal:
        """The same as a distribution with a member for each state."""
        return MultivariateNormal(self.mean, self.covariance)

    @cached_property
    def roots(self) -> tuple[Floats, Floats]:
        r"""Upper triangular :math:`R` with :math:`\Sigma^{-1} = R^\top R`, and log determinants."""
        d = self.mean.shape[1]
        try:
            lower: Floats = np.linalg.cholesky(self.covariance[:, ::-1, ::-1]).astype(np.float64)
        except np.linalg.LinAlgError as error:
            raise FitError(
                "a covariance became singular: the rows of a state do not span all "
                f"{d} dimensions; raise min_covar"
            ) from error
        inverse = _inverse(lower)
        log_det = 2.0 * np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
        return np.ascontiguousarray(inverse[:, ::-1, ::-1]), log_det


@dataclass(frozen=True)
class NormalEmission(Emission):
    r"""Normal vectors, with a penalty :math:`\tfrac12 \operatorname{tr}(\Psi \Sigma_k^{-1})` that
    keeps every covariance away from singular ones.

    Parameters
    ----------
    covariance_type : {"full", "tied", "diag", "spherical"}
    min_covar : float
        :math:`\Psi` in units of the variances of the columns.
    psi : ndarray of shape (d,) or None
        :math:`\Psi`, from the rows of the fit.
    """

    covariance_type: str = "full"
    min_covar: float = 1e-3
    psi: Floats | None = None

    def checked(
        self, owner: object, rows: Floats, weight: Floats | None = None
    ) -> "NormalEmission":
        mean, var = column_spread(rows, weight)
        floor = 1e-24 * np.maximum(mean**2, 1e-270)
        return replace(self, psi=self.min_covar * np.where(var > floor, var, 1.0))

    def usual_spread(self, n_features: int) -> Floats:
        """Variances of the columns, where a start has means only; ones without a penalty."""
        assert self.psi is not None
        return np.diag(self.psi / self.min_covar if self.min_covar else np.ones(n_features))

    def log_prob(self, laws: NormalLaws, rows: Floats, n_threads: int) -> Floats:
        if np.isnan(rows).any():
            return np.ascontiguousarray(laws.distribution.log_prob_rows(rows))
        roots, log_det = laws.roots
        constants = -0.5 * (log_det + rows.shape[1] * np.log(2 * np.pi))
        return gaussian_log_density(rows, laws.mean, roots, constants, n_threads)

    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        """Moments about the laws they come from, so that large means cost no digits."""
        separate = self.covariance_type in ("diag", "spherical")
        if np.isnan(rows).any():
            if separate:
                return ColumnMoments.of(rows, shares)
            if laws is not None:
                return laws.distribution.expected_statistics(rows, shares)
            fill = np.nan_to_num(np.nanmean(rows, axis=0)) if len(rows) else 0.0
            rows = np.where(np.isnan(rows), fill, rows)
        if rows.shape[1] > MOST_COLUMNS:
            return (ColumnMoments if separate else Moments).of(rows, shares)
        if laws is None:
            total = np.maximum(shares.sum(axis=0), 1e-300)[:, None]
            centre = np.ascontiguousarray(shares.T @ rows / total)
        else:
            centre = laws.mean
        weight, first, second = weighted_moments(rows, shares, centre, n_threads, diagonal=separate)
        shift = first / np.maximum(weight, 1e-300)[:, None]
        if separate:
            each = np.broadcast_to(weight[:, None], centre.shape)
            return ColumnMoments(each, centre + shift, np.maximum(second - shift * first, 0.0))
        return Moments(weight, centre + shift, second - shift[:, :, None] * first[:, None, :])

    def fit(self, stats: Any) -> NormalLaws:
        assert self.psi is not None
        k, d = stats.mean.shape
        if isinstance(stats, ColumnMoments):
            weight = np.maximum(stats.weight, 1e-12)
            variance = (stats.scatter + self.psi) / weight
            if self.covariance_type == "spherical":
                one = (stats.scatter.sum(axis=1) + self.psi.sum()) / weight.sum(axis=1)
                variance = np.broadcast_to(one[:, None], (k, d))
            return NormalLaws(np.array(stats.mean), variance[:, :, None] * np.eye(d))
        prior = np.diag(self.psi)
        if self.covariance_type == "tied":
            one = (stats.scatter.sum(axis=0) + prior) / np.sum(stats.weight)
            covariance = np.broadcast_to(one, (k, d, d)).copy()
        else:
            covariance = (stats.scatter + prior) / np.maximum(stats.weight, 1e-12)[:, None, None]
        return NormalLaws(np.array(stats.mean), 0.5 * (covariance + covariance.transpose(0, 2, 1)))

    def log_prior(self, laws: NormalLaws) -> float:
        assert self.psi is not None
        if not self.psi.any():
            return 0.0
        roots, _ = laws.roots
        each = (roots**2 * self.psi).sum(axis=(1, 2))
        return -0.5 * float(each[0] if self.covariance_type == "tied" else each.sum())

    def members(self, laws: NormalLaws) -> MultivariateNormal:
        return laws.distribution

    def n_parameters(self, laws: NormalLaws) -> int:
        k, d = laws.mean.shape
        spread = {"full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2, "diag": k * d}
        return int(k * d + spread.get(self.covariance_type, k))


def given_covariances(owner: object, name: str, table: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Symmetric positive definite matrices that a person gave.

    Examples
    --------
    >>> given_covariances("GaussianHMM", "covariances_init", [[[1.0, 2.0], [2.0, 1.0]]], (1, 2, 2))
    Traceback (most recent call last):
    ValueError: GaussianHMM: covariances_init must be positive definite, got an eigenvalue of -1
    """
    given = np.array(table, dtype=np.float64)
    if given.shape != shape or not np.isfinite(given).all():
        raise check.fail(owner, name, f"finite, of shape {shape}", f"shape {given.shape}")
    turned = np.swapaxes(given, -1, -2)
    if not np.allclose(given, turned, rtol=1e-8, atol=1e-12 * float(np.abs(given).max(initial=0))):
        raise check.fail(owner, name, "symmetric", given)
    covariance: Floats = 0.5 * (given + turned)
    least = float(np.linalg.eigvalsh(covariance).min())
    if not least > 0:
        raise ValueError(
            f"{check.named(owner)}: {name} must be positive definite, got an eigenvalue of "
            f"{least:.3g}"
        )
    return covariance


def _inverse(lower: Floats) -> Floats:
    """Inverses of lower triangular matrices of shape (K, d, d), row by row for all of them.

    Many tiny solves would spend their time on waking the threads of BLAS.
    """
    out = np.zeros_like(lower)
    for i in range(lower.shape[1]):
        row = -np.einsum("kj,kjm->km", lower[:, i, :i], out[:, :i])
        row[:, i] += 1.0
        out[:, i] = row / lower[:, i, i, None]
    return out
