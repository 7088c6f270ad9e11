"""Maximum likelihood of factor analysis, by the method that suits the table."""

from typing import NamedTuple

import numpy as np

from margin.core import Solution, Status
from margin.core.types import Array, Floats
from margin.decomposition._blocks import RowBlocks, block_moments
from margin.decomposition.factor._newton import first_noise, known_noise, log_likelihood, newton
from margin.decomposition.linear._centred_table import centred_table, mean_of
from margin.decomposition.probabilistic._covariance_em import Gain, Loadings, covariance_em
from margin.decomposition.probabilistic._gap_em import ColumnTotals, gap_em
from margin.decomposition.probabilistic._latent_normal import LatentNormal
from margin.decomposition.probabilistic._noise_floor import floor_repairs, noise_floor
from margin.decomposition.probabilistic._second_moments import SecondMoments
from margin.distributions import Moments

_MOST_COLUMNS = 2000


class Settings(NamedTuple):
    """How to fit: number of factors, method, noise to start with or known, tolerance, seed."""

    n_components: int
    newton: bool
    noise: Floats | None
    known: bool
    tol: float
    max_iter: int
    rng: np.random.Generator


class FactorFit(NamedTuple):
    """The law found, in canonical form, and how."""

    law: LatentNormal
    solution: Solution
    repairs: tuple[str, ...]


def fit_complete(X: Array, weight: Floats | None, settings: Settings) -> FactorFit:
    """Fit to complete rows in memory."""
    if X.shape[1] <= _MOST_COLUMNS or settings.known:
        return fit_moments(RowBlocks([(X, weight)]), settings)
    table = centred_table(X, weight)
    total = float(len(X)) if weight is None else float(weight.sum())
    return _by_em(SecondMoments.of_rows(table, total), mean_of(table), settings)


def fit_moments(blocks: RowBlocks, settings: Settings) -> FactorFit:
    """Fit to complete rows from their summed moments."""
    return fit_statistics(block_moments(blocks)[0], settings)


def fit_statistics(stats: Moments, settings: Settings) -> FactorFit:
    """Fit to complete rows of which only these moments are known."""
    moments = SecondMoments.of_moments(stats)
    S = moments.matrix
    assert S is not None
    if settings.known:
        assert settings.noise is not None
        at = known_noise(S, moments.weight, settings.n_components, settings.noise)
        value = log_likelihood(S, moments.weight, at)
        told = Solution(
            np.empty(0), Status.CONVERGED, 1, -value, solver="eigenvectors, known noise"
        )
        return FactorFit(LatentNormal(stats.mean, *at).canonical(), told, ())
    if not settings.newton:
        return _by_em(moments, stats.mean, settings)
    floor = noise_floor(moments.diagonal)
    start = first_noise(S, settings.n_components, floor)
    if settings.noise is not None:
        start = settings.noise
    solution = newton(
        S,
        moments.weight,
        settings.n_components,
        start,
        floor,
        tol=settings.tol,
        max_iter=settings.max_iter,
    )
    return _told(stats.mean, solution, floor)


def fit_gaps(blocks: RowBlocks, totals: ColumnTotals, settings: Settings) -> FactorFit:
    """Fit to rows with gaps, which are integrated out."""
    floor = noise_floor(totals.variance)
    start = LatentNormal(totals.mean, *_start(totals.variance, floor, settings))
    solution = gap_em(
        blocks,
        start,
        totals.mean,
        floor,
        isotropic=False,
        tol=settings.tol,
        max_iter=settings.max_iter,
        measure=Gain(),
    )
    law: LatentNormal = solution.x
    repairs = floor_repairs(law.noise, floor, isotropic=False)
    return FactorFit(law.canonical(), solution, repairs)


def _by_em(stats: SecondMoments, mean: Floats, settings: Settings) -> FactorFit:
    floor = noise_floor(stats.diagonal)
    solution = covariance_em(
        stats,
        _start(stats.diagonal, floor, settings),
        floor,
        isotropic=False,
        tol=settings.tol,
        max_iter=settings.max_iter,
        measure=Gain(),
    )
    return _told(mean, solution, floor)


def _told(mean: Floats, solution: Solution, floor: Floats) -> FactorFit:
    loadings, noise = solution.x
    law = LatentNormal(mean, loadings, noise).canonical()
    return FactorFit(law, solution, floor_repairs(noise, floor, isotropic=False))


def _start(variances: Floats, floor: Floats, settings: Settings) -> Loadings:
    """Random loadings that take half of the variance of every column."""
    k = settings.n_components
    spread = np.sqrt(0.5 * np.maximum(variances, floor) / max(k, 1))
    loadings = settings.rng.standard_normal((len(floor), k)) * spread[:, None]
    noise = 0.5 * variances if settings.noise is None else settings.noise
    return Loadings(loadings, np.maximum(noise, floor))
