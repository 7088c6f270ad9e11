"""Maximum likelihood of probabilistic PCA."""

from typing import NamedTuple

import numpy as np

from margin.core import Solution, Status
from margin.core.types import Array, Floats
from margin.decomposition._blocks import RowBlocks, block_moments, extent
from margin.decomposition.linear._centred_table import centred_table, mean_of
from margin.decomposition.linear._spectrum import Spectrum, by_dual, by_svd, from_moments
from margin.decomposition.probabilistic._covariance_em import Loadings, covariance_em
from margin.decomposition.probabilistic._gap_em import ColumnTotals, column_totals, gap_em
from margin.decomposition.probabilistic._latent_normal import LatentNormal
from margin.decomposition.probabilistic._noise_floor import floor_repairs, noise_floor
from margin.decomposition.probabilistic._second_moments import SecondMoments
from margin.distributions import Moments

_LOG_2PI = float(np.log(2 * np.pi))
_MOST_COLUMNS = 2000


class Settings(NamedTuple):
    """How to fit: number of components, method, tolerance of EM, most iterations, seed."""

    n_components: int
    closed: bool
    tol: float
    max_iter: int
    rng: np.random.Generator


class PPCAFit(NamedTuple):
    """The law found, in canonical form, and how."""

    law: LatentNormal
    solution: Solution
    repairs: tuple[str, ...]


def fit_complete(X: Array, weight: Floats | None, settings: Settings) -> PPCAFit:
    """Fit to complete rows in memory."""
    n, p = X.shape
    if p <= _MOST_COLUMNS:
        return fit_blocks_complete(RowBlocks([(X, weight)]), settings)
    total = float(n) if weight is None else float(weight.sum())
    table = centred_table(X, weight)
    if not settings.closed:
        return _by_em(SecondMoments.of_rows(table, total), mean_of(table), settings)
    if n < p and settings.n_components < n:
        spectrum = by_dual(table, total, max(settings.n_components, 1), settings.rng)
    else:
        spectrum = by_svd(table, total)
    return _closed(spectrum, settings.n_components)


def fit_blocks_complete(blocks: RowBlocks, settings: Settings) -> PPCAFit:
    """Fit to complete rows from their summed moments."""
    return fit_statistics(block_moments(blocks)[0], settings)


def fit_statistics(stats: Moments, settings: Settings) -> PPCAFit:
    """Fit to complete rows of which only these moments are known."""
    if settings.closed:
        return _closed(from_moments(stats, max(settings.n_components, 1)), settings.n_components)
    return _by_em(SecondMoments.of_moments(stats), stats.mean, settings)


def fit_gaps(blocks: RowBlocks, totals: ColumnTotals, settings: Settings) -> PPCAFit:
    """Fit to rows with gaps, which are integrated out."""
    floor = _shared_floor(totals.variance)
    p, k = len(floor), settings.n_components
    start = LatentNormal(totals.mean, *_start(totals.variance, p, k, floor, settings.rng))
    solution = gap_em(
        blocks,
        start,
        totals.mean,
        floor,
        isotropic=True,
        tol=settings.tol,
        max_iter=settings.max_iter,
    )
    return _told(solution.x, solution, floor)


def fit_rows(X: Array, weight: Floats | None, settings: Settings) -> PPCAFit:
    """Fit to rows in memory, with gaps or without."""
    if not np.isnan(X).any():
        return fit_complete(X, weight, settings)
    blocks = RowBlocks([(X, weight)])
    return fit_gaps(blocks, column_totals(blocks), settings)


def fit_of(blocks: RowBlocks, settings: Settings) -> PPCAFit:
    """Fit to blocks, with gaps or without; a single one is in memory."""
    if isinstance(blocks.source, list) and len(blocks.source) == 1:
        rows, weight = blocks.source[0]
        return fit_rows(rows, weight, settings)
    if extent(blocks)[1]:
        return fit_gaps(blocks, column_totals(blocks), settings)
    return fit_blocks_complete(blocks, settings)


def _closed(spectrum: Spectrum, k: int) -> PPCAFit:
    r"""Noise as the mean of the eigenvalues left out, :math:`W = U (\Lambda - \sigma^2)^{1/2}`."""
    p = len(spectrum.mean)
    values = spectrum.squares[:k] / spectrum.weight
    total = spectrum.total / spectrum.weight
    floor = _shared_floor(np.full(p, total / p))
    noise = max((total - float(values.sum())) / (p - k), float(floor[0])) if k < p else floor[0]
    loadings = spectrum.axes[:k].T * np.sqrt(np.maximum(values - noise, 0.0))
    law = LatentNormal(spectrum.mean, loadings, np.full(p, float(noise)))
    kept = np.maximum(values, noise)
    misfit = float((values / kept).sum()) + (total - float(values.sum())) / noise
    log_det = float(np.log(kept).sum()) + (p - k) * np.log(noise)
    solution = Solution(
        np.empty(0),
        Status.CONVERGED,
        1,
        0.5 * spectrum.weight * (p * _LOG_2PI + log_det + misfit),
        solver="closed form",
    )
    return _told(law, solution, floor)


def _by_em(stats: SecondMoments, mean: Floats, settings: Settings) -> PPCAFit:
    floor = _shared_floor(stats.diagonal)
    p, k = len(mean), settings.n_components
    start = Loadings(*_start(stats.diagonal, p, k, floor, settings.rng))
    solution = covariance_em(
        stats, start, floor, isotropic=True, tol=settings.tol, max_iter=settings.max_iter
    )
    loadings, noise = solution.x
    return _told(LatentNormal(mean, loadings, noise), solution, floor)


def _told(law: LatentNormal, solution: Solution, floor: Floats) -> PPCAFit:
    return PPCAFit(law.canonical(), solution, floor_repairs(law.noise, floor, isotropic=True))


def _shared_floor(variances: Floats) -> Floats:
    floor = noise_floor(variances)
    return np.full_like(floor, floor.mean())


def _start(
    variances: Floats, p: int, k: int, floor: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Random loadings that take half of the variance."""
    typical = max(float(variances.mean()), float(floor.mean()))
    loadings = rng.standard_normal((p, k)) * np.sqrt(0.5 * typical / max(k, 1))
    return loadings, np.maximum(np.full(p, 0.5 * typical), floor)
