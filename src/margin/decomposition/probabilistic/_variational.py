"""Variational Bayes for principal components with a relevance for each."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import digamma, gammaln

from margin.core import Solution
from margin.core.types import Floats
from margin.decomposition._blocks import RowBlocks
from margin.decomposition.probabilistic._latent_normal import row_parts
from margin.decomposition.probabilistic._second_moments import SecondMoments
from margin.inference import Expectation, expectation_maximisation

_LOG_2PI = float(np.log(2 * np.pi))
BROAD = 1e-6
"""Shape and rate of the gamma priors, for data of unit variance."""


class Belief(NamedTuple):
    """Posterior: mean of rows, loadings with covariances, gamma laws of relevance and noise.

    ``covariances`` are of shape (p, k, k), or (1, k, k) where all columns share one.
    """

    mean: Floats
    loadings: Floats
    covariances: Floats
    relevance_shape: float
    relevance_rate: Floats
    noise_shape: float
    noise_rate: float

    @property
    def relevance(self) -> Floats:
        """Expected precision of the loadings of every component."""
        return np.asarray(self.relevance_shape / self.relevance_rate)

    @property
    def precision(self) -> float:
        """Expected precision of the noise."""
        return self.noise_shape / self.noise_rate

    def column_squares(self) -> Floats:
        """Expected squares of the loadings of every component, summed over columns."""
        p, shared = len(self.loadings), len(self.covariances) == 1
        spread = np.einsum("jkk->k", self.covariances) * (p if shared else 1)
        return np.asarray(np.sum(self.loadings**2, axis=0) + spread)

    def determined(self) -> Floats:
        """Share of the expected squares of a component that its expected loadings make up."""
        return np.asarray(np.sum(self.loadings**2, axis=0) / self.column_squares())


class Sums(NamedTuple):
    """Per column (or one for all): moments of latent rows, and with the values about a centre."""

    second: Floats
    cross: Floats
    first: Floats
    column: Floats
    squares: Floats
    total: Floats
    latent: float


def start(mean: Floats, loadings: Floats, noise: float, count: float) -> Belief:
    """A belief around given loadings."""
    p, k = loadings.shape
    covariances = np.tile(1e-2 * noise * np.eye(k), (1, 1, 1))
    shape = BROAD + p / 2
    rate = BROAD + 0.5 * (np.sum(loadings**2, axis=0) + p * 1e-2 * noise)
    noise_shape = BROAD + count / 2
    return Belief(mean, loadings, covariances, shape, rate, noise_shape, noise_shape * noise)


def fit_covariance(
    stats: SecondMoments, starts: list[Belief], *, tol: float, max_iter: int
) -> Solution:
    """Posterior given the covariance of complete rows, about their mean: the best of the starts."""
    steps = _CovarianceSteps(stats)
    return expectation_maximisation(
        steps.expect, maximise, starts, tol=tol, max_iter=max_iter, solver="variational Bayes"
    )


def fit_gaps(
    blocks: RowBlocks, centre: Floats, at: Belief, *, tol: float, max_iter: int
) -> Solution:
    """Posterior given rows with gaps; the mean of the belief is relative to ``centre``."""
    steps = _GapSteps(blocks, centre)
    return expectation_maximisation(
        steps.expect,
        maximise,
        [at],
        tol=tol,
        max_iter=max_iter,
        solver="variational Bayes over the observed entries",
    )


@dataclass(frozen=True, eq=False)
class _CovarianceSteps:
    stats: SecondMoments

    def expect(self, at: Belief) -> Expectation[Sums]:
        p, k = at.loadings.shape
        n = self.stats.weight
        inner = np.eye(k) + at.precision * (at.loadings.T @ at.loadings + p * at.covariances[0])
        posterior = np.linalg.inv(inner)
        posterior = (posterior + posterior.T) / 2
        weights = at.precision * at.loadings @ posterior
        cross = n * self.stats.product(weights)
        means = weights.T @ cross
        second = n * posterior + (means + means.T) / 2
        log_det = -np.linalg.slogdet(inner)[1]
        latent = 0.5 * (n * (k + log_det) - np.trace(second))
        nothing = np.zeros(p)
        count = np.full(p, n)
        squares = n * self.stats.diagonal
        sums = Sums(second[None], cross, np.zeros((p, k)), nothing, squares, count, float(latent))
        return Expectation(bound(sums, at), sums)


@dataclass(frozen=True, eq=False)
class _GapSteps:
    blocks: RowBlocks
    centre: Floats

    def expect(self, at: Belief) -> Expectation[Sums]:
        p, k = at.loadings.shape
        outer = at.loadings[:, :, None] * at.loadings[:, None, :] + at.covariances
        products = at.precision * outer.reshape(p, k * k)
        second, cross, first = np.zeros((p, k * k)), np.zeros((p, k)), np.zeros((p, k))
        column, squares, count, latent = np.zeros(p), np.zeros(p), np.zeros(p), 0.0
        for X, weight in self.blocks:
            for part in row_parts(len(X), p, k):
                rows = np.asarray(X[part], dtype=np.float64)
                held = np.ones(len(rows)) if weight is None else weight[part]
                seen = ~np.isnan(rows)
                away = np.where(seen, rows - self.centre, 0.0)
                inner = np.eye(k) + (seen @ products).reshape(len(seen), k, k)
                posterior = np.linalg.inv(inner)
                pull = at.precision * (np.where(seen, away - at.mean, 0.0) @ at.loadings)
                mean = np.einsum("ikl,il->ik", posterior, pull)
                moments = posterior + mean[:, :, None] * mean[:, None, :]
                shown = seen * held[:, None]
                second += shown.T @ moments.reshape(len(rows), k * k)
                cross += (away * held[:, None]).T @ mean
                first += shown.T @ mean
                column += held @ away
                squares += held @ away**2
                count += held @ seen
                rest = k - np.linalg.slogdet(inner)[1] - np.einsum("ikk->i", moments)
                latent += 0.5 * float(held @ rest)
        sums = Sums(second.reshape(p, k, k), cross, first, column, squares, count, latent)
        return Expectation(bound(sums, at), sums)


def residual(sums: Sums, at: Belief) -> float:
    """Expected sum of squared residuals of the observed entries."""
    mean = at.mean
    shifted = sums.cross - mean[:, None] * sums.first
    outer = at.loadings[:, :, None] * at.loadings[:, None, :] + at.covariances
    total = np.sum(sums.squares - 2 * mean * sums.column + sums.total * mean**2)
    return float(total - 2 * np.vdot(at.loadings, shifted) + np.sum(outer * sums.second))


def bound(sums: Sums, at: Belief) -> float:
    """Lower bound of the log-evidence."""
    p, k = at.loadings.shape
    log_precision = digamma(at.noise_shape) - np.log(at.noise_rate)
    fit = 0.5 * sums.total.sum() * (log_precision - _LOG_2PI)
    fit -= 0.5 * at.precision * residual(sums, at)
    log_relevance = digamma(at.relevance_shape) - np.log(at.relevance_rate)
    log_det = np.linalg.slogdet(at.covariances)[1].sum() * (p / len(at.covariances))
    loadings = 0.5 * (
        p * log_relevance.sum() - at.relevance @ at.column_squares() + p * k + log_det
    )
    prior = _gamma_kl(at.relevance_shape, at.relevance_rate).sum()
    prior += _gamma_kl(at.noise_shape, np.array([at.noise_rate])).sum()
    return float(fit + sums.latent + loadings - prior)


def maximise(sums: Sums, at: Belief) -> Belief:
    """Loadings, mean, relevance and noise, one after the other."""
    k = at.loadings.shape[1]
    precision = np.eye(k) * at.relevance + at.precision * sums.second
    covariances = np.linalg.inv(precision)
    covariances = (covariances + covariances.transpose(0, 2, 1)) / 2
    target = at.precision * (sums.cross - at.mean[:, None] * sums.first)
    loadings = np.einsum("jkl,jl->jk", np.broadcast_to(covariances, (len(target), k, k)), target)
    mean = (sums.column - np.einsum("jk,jk->j", loadings, sums.first)) / sums.total
    new = at._replace(mean=mean, loadings=loadings, covariances=covariances)
    rate = BROAD + 0.5 * new.column_squares()
    noise_shape = BROAD + 0.5 * float(sums.total.sum())
    noise_rate = BROAD + 0.5 * max(residual(sums, new), 0.0)
    return new._replace(relevance_rate=rate, noise_shape=noise_shape, noise_rate=noise_rate)


def _gamma_kl(shape: float, rate: Floats) -> Floats:
    """Divergence of a gamma law from the broad prior."""
    return np.asarray(
        (shape - BROAD) * digamma(shape)
        - gammaln(shape)
        + gammaln(BROAD)
        + BROAD * (np.log(rate) - np.log(BROAD))
        + shape * (BROAD - rate) / rate
    )
