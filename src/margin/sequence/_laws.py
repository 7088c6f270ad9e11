"""Moments of rows as distributions: of numbers where there is one per row, else of vectors."""

import numpy as np

from margin.core.types import Floats
from margin.distributions import MultivariateNormal, Normal

_LEAST = 1e-150


def normal_law(mean: Floats, cov: Floats) -> Normal | MultivariateNormal:
    """One law per row.

    Parameters
    ----------
    mean : ndarray of shape (h, m)
    cov : ndarray of shape (h, m, m)

    Returns
    -------
    Normal of shape (h,) where m is 1, else MultivariateNormal of shape (h,)

    Examples
    --------
    >>> normal_law(np.zeros((2, 1)), np.ones((2, 1, 1))).std
    array([1., 1.])
    """
    if mean.shape[1] == 1:
        return Normal(mean[:, 0], np.sqrt(np.maximum(cov[:, 0, 0], _LEAST)))
    scale = np.einsum("tii->ti", cov).mean(axis=1)[:, None, None] + _LEAST
    values, vectors = np.linalg.eigh(cov)
    # What is certain keeps a trace of doubt: a density needs one.
    values = np.maximum(values, 1e-12 * scale[:, 0])
    covariances = (vectors * values[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    return MultivariateNormal(mean, (covariances + np.swapaxes(covariances, 1, 2)) / 2)
