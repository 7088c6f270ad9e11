"""How many components: by share of the variance, or by evidence."""

import numpy as np
from scipy.special import gammaln

from margin.core.types import Floats

_TINY = 1e-15


def components_for_share(variances: Floats, share: float) -> int:
    """Least number of components whose share of the variance exceeds ``share``.

    Examples
    --------
    >>> components_for_share(np.array([6.0, 3.0, 1.0]), 0.6)
    2
    """
    total = variances.sum()
    if total <= 0:
        return 1
    cumulated = np.cumsum(variances / total)
    return min(int(np.searchsorted(cumulated, share, side="right")) + 1, len(variances))


def log_evidence(variances: Floats, rank: int, n_samples: float) -> float:
    r"""Minka's approximation of the evidence that ``rank`` components stand out of noise.

    Laplace's method for probabilistic PCA, all loadings integrated out.

    Parameters
    ----------
    variances : ndarray of shape (p,)
        Eigenvalues of the covariance, largest first.
    rank : int
        From 1 to ``p - 1``.
    n_samples : float
        Number of rows.

    References
    ----------
    T. P. Minka (2000). Automatic choice of dimensionality for PCA. NIPS 13.

    Examples
    --------
    >>> values = np.array([9.0, 1.1, 1.0, 0.9])
    >>> [round(log_evidence(values, k, 100.0), 1) for k in (1, 2, 3)]
    [-121.3, -123.7, -125.9]
    """
    p = len(variances)
    if variances[rank - 1] < _TINY:
        return -np.inf
    i = np.arange(1, rank + 1)
    frames = float(np.sum(gammaln((p - i + 1) / 2) - np.log(np.pi) * (p - i + 1) / 2))
    frames -= rank * np.log(2.0)
    noise = max(_TINY, float(variances[rank:].sum()) / (p - rank))
    fit = -0.5 * n_samples * float(np.log(variances[:rank]).sum())
    fit -= 0.5 * n_samples * (p - rank) * np.log(noise)
    freedom = p * rank - rank * (rank + 1.0) / 2.0
    smoothed = np.concatenate([variances[:rank], np.full(p - rank, noise)])
    gaps = (variances[:rank, None] - variances) * (1 / smoothed - 1 / smoothed[:rank, None])
    pairs = np.arange(p) > np.arange(rank)[:, None]
    curvature = float(np.sum(np.log(np.maximum(gaps[pairs], _TINY)) + np.log(n_samples)))
    return float(
        frames
        + fit
        + 0.5 * (freedom + rank) * np.log(2 * np.pi)
        - 0.5 * curvature
        - 0.5 * rank * np.log(n_samples)
    )


def most_evident_rank(variances: Floats, n_samples: float) -> int:
    """Number of components of the largest evidence, from 1 to ``p - 1``.

    Examples
    --------
    >>> most_evident_rank(np.array([9.0, 1.1, 1.0, 0.9]), 100.0)
    1
    """
    ranks = range(1, len(variances))
    return 1 + int(np.argmax([log_evidence(variances, k, n_samples) for k in ranks] or [0.0]))
