"""How much the draws of several Markov chains are worth."""

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata

from margin.core.types import Array, Floats

TAILS = (0.05, 0.95)


def autocorrelation(draws: Array) -> Floats:
    r"""Correlation of a series with itself at every lag, along the last axis (``inference.27``).

    .. math:: \hat\rho_t = \frac{\sum_{i} (x_i - \bar x)(x_{i+t} - \bar x)}
                                {\sum_{i} (x_i - \bar x)^2}

    Parameters
    ----------
    draws : array of shape (..., n)
        Series; a constant one has correlation 1 with itself at lag 0 and none elsewhere.

    Returns
    -------
    ndarray of shape (..., n)

    Examples
    --------
    >>> autocorrelation([1.0, -1.0, 1.0, -1.0])
    array([ 1.  , -0.75,  0.5 , -0.25])
    """
    covariance = _autocovariance(np.asarray(draws, dtype=np.float64))
    spread = covariance[..., :1]
    flat = np.zeros_like(covariance)
    flat[..., 0] = 1.0
    return np.where(spread > 0, covariance / np.where(spread > 0, spread, 1.0), flat)


def _autocovariance(series: Floats) -> Floats:
    """Sums of products at every lag over n, by one transform."""
    n = series.shape[-1]
    centred = series - series.mean(axis=-1, keepdims=True)
    size = next_fast_len(2 * n, real=True)
    spectrum = np.abs(rfft(centred, size)) ** 2
    return np.asarray(irfft(spectrum, size)[..., :n] / n)


def effective_size(draws: Array) -> Floats:
    r"""Independent draws that would give means as good, of chains together (``inference.27``).

    .. math:: \frac{m n}{-1 + 2 \sum_{k \ge 0} (\hat\rho_{2k} + \hat\rho_{2k+1})}

    with the sum cut where a pair first falls below zero, and made non-increasing before: for a
    reversible chain the true pairs are both. The correlations compare the variances within the
    halves of the chains with those of all draws, so chains that disagree count for little.

    Parameters
    ----------
    draws : array of shape (m, n, ...)
        n draws of m chains of any quantities.

    Returns
    -------
    ndarray of shape (...)
        NaN where a quantity never changes, or with fewer than four draws.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(4, 1000))
    >>> bool(3000 < effective_size(noise) < 5000)
    True
    """
    halves = _split(np.moveaxis(np.asarray(draws, dtype=np.float64), 1, -1))
    m, n = halves.shape[0], halves.shape[-1]
    if n < 2:
        return np.full(halves.shape[1:-1], np.nan)
    covariance = _autocovariance(halves)
    within = covariance[..., 0].mean(axis=0) * n / (n - 1)
    total = within * (n - 1) / n
    if m > 1:
        total = total + halves.mean(axis=-1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = 1.0 - (within[..., None] - covariance.mean(axis=0)) / total[..., None]
    rho[..., 0] = 1.0
    pairs = rho[..., : n // 2 * 2].reshape(*rho.shape[:-1], -1, 2).sum(axis=-1)
    kept = np.logical_and.accumulate(pairs > 0, axis=-1)
    falling = np.minimum.accumulate(np.where(kept, pairs, 0.0), axis=-1)
    length = np.maximum(2.0 * falling.sum(axis=-1) - 1.0, 1.0 / np.log10(max(m * n, 10)))
    return np.where(total > 0, m * n / length, np.nan)


def r_hat(draws: Array) -> Floats:
    r"""Spread of all draws over the spread within chains: 1 where they agree (``inference.27``).

    The larger of two: of the ranks of the draws (chains in different places), and of the ranks of
    their distances from the median (chains of different width), each over the halves of the chains,
    so that a chain on its way shows too.

    Parameters
    ----------
    draws : array of shape (m, n, ...)
        n draws of m chains of any quantities.

    Returns
    -------
    ndarray of shape (...)
        NaN where a quantity never changes, or with fewer than four draws.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(2, 500))
    >>> float(r_hat(noise).round(2)), bool(r_hat(noise + [[0.0], [3.0]]) > 1.5)
    (1.0, True)
    """
    halves = _split(np.moveaxis(np.asarray(draws, dtype=np.float64), 1, -1))
    if halves.shape[-1] < 2:
        return np.full(halves.shape[1:-1], np.nan)
    away = np.abs(halves - np.median(halves, axis=(0, -1), keepdims=True))
    return np.fmax(_spread_ratio(_normal_scores(halves)), _spread_ratio(_normal_scores(away)))


def _split(chains: Floats) -> Floats:
    """The halves of every chain as chains of their own; the middle draw of an odd number goes."""
    half = chains.shape[-1] // 2
    return np.concatenate([chains[..., :half], chains[..., chains.shape[-1] - half :]])


def _normal_scores(chains: Floats) -> Floats:
    """Quantiles of the normal law at the ranks among all draws of a quantity."""
    m, n = chains.shape[0], chains.shape[-1]
    flat = np.moveaxis(chains, 0, -2).reshape(*chains.shape[1:-1], m * n)
    ranks = rankdata(flat, axis=-1)
    scores = ndtri((ranks - 0.375) / (m * n + 0.25))
    return np.moveaxis(scores.reshape(*chains.shape[1:-1], m, n), -2, 0)


def _spread_ratio(chains: Floats) -> Floats:
    n = chains.shape[-1]
    within = chains.var(axis=-1, ddof=1).mean(axis=0)
    between = chains.mean(axis=-1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.sqrt((n - 1) / n + between / within)
    return np.where(within > 0, ratio, np.where(between > 0, np.inf, np.nan))


def bulk_size(draws: Array) -> Floats:
    """Effective size of the ranks: how well the middle of the law is known."""
    chains = np.moveaxis(np.asarray(draws, dtype=np.float64), 1, -1)
    return effective_size(np.moveaxis(_normal_scores(chains), -1, 1))


def tail_size(draws: Array) -> Floats:
    """Effective size of the worse of two tails: how well the quantiles at 5 and 95 % are known."""
    values = np.asarray(draws, dtype=np.float64)
    cuts = np.quantile(values, TAILS, axis=(0, 1))
    return np.fmin(*(effective_size((values <= cut).astype(np.float64)) for cut in cuts))
