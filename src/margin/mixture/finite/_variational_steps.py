"""Bayesian Gaussian mixtures as a problem for variational Bayes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from margin.core.types import Floats
from margin.distributions import Moments, NormalInverseWishart
from margin.inference import Expectation
from margin.mixture.finite._gaussian_expectation import completed_columns, expected_statistics
from margin.mixture.finite._gaussians import Gaussians
from margin.mixture.finite._mixture_statistics import MixtureStatistics
from margin.mixture.finite._row_groups import Stream, Table
from margin.mixture.finite._variational_weights import WeightBelief


@dataclass(frozen=True, eq=False)
class GaussianPrior:
    """Hyperparameters, in scikit-learn's words.

    Parameters
    ----------
    concentration : float
    sticks : bool
        Whether weights are broken sticks rather than Dirichlet.
    mean : ndarray of shape (d,)
    mean_precision : float
    df : float
    covariance : ndarray of shape (d, d), (d,) or ()
    """

    concentration: float
    sticks: bool
    mean: Floats
    mean_precision: float
    df: float
    covariance: Floats


@dataclass(frozen=True, eq=False)
class GaussianBelief:
    """What is believed of a mixture.

    Parameters
    ----------
    weights : WeightBelief
    mean_precision : ndarray of shape (k,)
    df : ndarray of shape (k,), or () where the covariance is shared
    plug_in : Gaussians
        Expected weights, means, and inverses of the expected precisions.
    """

    weights: WeightBelief
    mean_precision: Floats
    df: Floats
    plug_in: Gaussians

    @property
    def levels(self) -> Floats:
        r"""What makes the log density of the plug-in an expected one, with :math:`E\log\pi`."""
        d, df, kind = self.plug_in.dim, self.df, self.plug_in.kind
        if kind in ("full", "tied"):
            steps = np.arange(d)
            each = digamma(0.5 * (df[..., None] - steps)) - np.log(0.5 * df[..., None])
            height = 0.5 * each.sum(axis=-1)
        else:
            half = 0.5 * df * (d if kind == "spherical" else 1)
            height = 0.5 * d * (digamma(half) - np.log(half))
        return np.asarray(self.weights.expected_log + height - 0.5 * d / self.mean_precision)


@dataclass(frozen=True, eq=False)
class VariationalSteps:
    r"""The two steps of variational Bayes for a Gaussian mixture.

    Gaps in rows belong to the hidden part: they are integrated out of
    :math:`\exp E\log p(x, z = k)`, a normal density up to its height, as exactly as the component
    is summed out. Rows are as if moved by noise of variance ``ridge``.

    Parameters
    ----------
    rows : Table or Stream
    prior : GaussianPrior
    ridge : float
    n_threads : int
    """

    rows: Table | Stream
    prior: GaussianPrior
    ridge: float
    n_threads: int = 1

    def expect(self, at: GaussianBelief) -> Expectation[MixtureStatistics]:
        """The bound of the log evidence, and the expected statistics."""
        plug_in = at.plug_in
        even = Gaussians(
            np.ones_like(plug_in.weights),
            plug_in.means,
            plug_in.covariances,
            plug_in.kind,
            plug_in.roots,
        )
        stats = expected_statistics(
            even,
            self.rows.passes(),
            extra=at.levels - 0.5 * self.ridge * plug_in.traces,
            n_threads=self.n_threads,
        )
        if plug_in.kind in ("diag", "spherical"):
            stats = completed_columns(stats, even)
        price = at.weights.price(self.prior.concentration) + _price(at, self.prior)
        return Expectation(stats.bound - price, stats)

    def maximise(self, stats: MixtureStatistics, at: GaussianBelief | None) -> GaussianBelief:
        """The belief given the statistics."""
        kind = "full" if isinstance(stats.moments, Moments) else "diag"
        return self.belief(stats, at.plug_in.kind if at is not None else kind)

    def belief(self, stats: MixtureStatistics, kind: str) -> GaussianBelief:
        """Posterior of a kind of covariance."""
        prior, total = self.prior, stats.total
        precision = prior.mean_precision + total
        shift = np.where((total > 0)[:, None], stats.moments.mean - prior.mean, 0.0)
        means = prior.mean + shift * (total / precision)[:, None]
        pull = total * prior.mean_precision / precision
        df = np.asarray(prior.df + (total.sum() if kind == "tied" else total))
        covariances = _scales(stats, shift, pull, prior, self.ridge, kind) / _spread(df, kind)
        weights = WeightBelief.posterior(total, prior.concentration, sticks=prior.sticks)
        plug_in, _ = Gaussians.of(weights.mean, means, covariances, kind, max_jitter=1e-6)
        return GaussianBelief(weights, precision, df, plug_in)


def _scales(
    stats: MixtureStatistics,
    shift: Floats,
    pull: Floats,
    prior: GaussianPrior,
    ridge: float,
    kind: str,
) -> Floats:
    """Scale of the belief about covariances, before it is divided by the degrees of freedom."""
    moments: Any = stats.moments
    total, d = stats.total, shift.shape[1]
    if kind in ("full", "tied"):
        outer = shift[:, :, None] * shift[:, None, :]
        each = moments.scatter + pull[:, None, None] * outer
        each = each + (ridge * total)[:, None, None] * np.eye(d)
        return np.asarray(prior.covariance + (each.sum(axis=0) if kind == "tied" else each))
    each = moments.scatter + pull[:, None] * shift**2 + (ridge * total)[:, None]
    return np.asarray(prior.covariance + (each if kind == "diag" else each.mean(axis=1)))


def _spread(df: Floats, kind: str) -> Floats:
    if kind == "full":
        return df[:, None, None]
    return df[:, None] if kind == "diag" else df


def _price(at: GaussianBelief, prior: GaussianPrior) -> float:
    """Divergence of means and precisions from their prior."""
    plug_in, df = at.plug_in, at.df
    k, d = plug_in.means.shape
    ratio = prior.mean_precision / at.mean_precision
    shift = plug_in.means - prior.mean
    if plug_in.kind in ("full", "tied"):
        white = np.einsum("kij,kj->ki", np.broadcast_to(plug_in.roots, (k, d, d)), shift)
        apart = (white**2).sum(axis=1)
    else:
        apart = (shift**2 / plug_in.variances).sum(axis=1)
    of_means = 0.5 * (d * (ratio - 1 - np.log(ratio)) + prior.mean_precision * apart).sum()
    if plug_in.kind in ("full", "tied"):
        scale = plug_in.covariances * _spread(df, plug_in.kind)
        before = NormalInverseWishart(np.zeros(d), 1.0, prior.covariance, prior.df)
        if plug_in.kind == "tied":
            after = NormalInverseWishart(np.zeros(d), 1.0, scale, float(df))
        else:
            after = NormalInverseWishart(np.zeros((k, d)), np.ones(k), scale, df)
        return float(of_means + np.sum(after.kl(before)))
    spherical = plug_in.kind == "spherical"
    size = d if spherical else 1
    shape = 0.5 * size * (df if spherical else df[:, None])
    rate, rate_before = shape * plug_in.covariances, 0.5 * size * prior.covariance
    return float(of_means + _gamma_kl(shape, rate, 0.5 * size * prior.df, rate_before).sum())


def _gamma_kl(shape: Floats, rate: Floats, shape_before: float, rate_before: Floats) -> Floats:
    """Divergence of one gamma distribution from another."""
    return np.asarray(
        (shape - shape_before) * digamma(shape)
        - gammaln(shape)
        + gammaln(shape_before)
        + shape_before * (np.log(rate) - np.log(rate_before))
        + shape * (rate_before - rate) / rate
    )
