"""Class probabilities averaged over the latent functions of several classes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtri
from scipy.stats import qmc

from margin.core.types import Floats

_LOG_POINTS = 9
_BLOCK = 1 << 18


@lru_cache(maxsize=8)
def normal_points(dimension: int) -> Floats:
    """Low-discrepancy standard normal points, each with its mirror image; the same every time."""
    sobol = qmc.Sobol(dimension, scramble=True, rng=np.random.default_rng(0))
    half = ndtri(np.clip(sobol.random_base2(_LOG_POINTS), 1e-12, 1 - 1e-12))
    points = np.concatenate([half, -half])
    points.flags.writeable = False
    return np.asarray(points)


def average_softmax(mean: Floats, cov: Floats) -> Floats:
    r"""Expected softmax :math:`E\,\mathrm{softmax}(f)` for :math:`f \sim N(\mu, \Sigma)` (gp.13).

    Classes are taken in the order of their means, so that their names do not matter, and the same
    points serve every row, so that rows do not matter to each other.

    Parameters
    ----------
    mean : ndarray of shape (m, C)
    cov : ndarray of shape (m, C, C)

    Examples
    --------
    >>> average_softmax(np.array([[1.0, 1.0, 1.0]]), np.zeros((1, 3, 3))).round(6)
    array([[0.333333, 0.333333, 0.333333]])
    """
    m, classes = mean.shape
    points = normal_points(classes)
    result = np.empty(mean.shape)
    step = max(1, _BLOCK // points.size)
    for start in range(0, m, step):
        rows = slice(start, start + step)
        order = np.argsort(-mean[rows], axis=1, kind="stable")
        centre = np.take_along_axis(mean[rows], order, axis=1)
        sorted_cov = np.take_along_axis(
            np.take_along_axis(cov[rows], order[:, :, None], axis=1), order[:, None, :], axis=2
        )
        root = np.linalg.cholesky(_definite(sorted_cov))
        latent = root @ points.T + centre[:, :, None]
        np.put_along_axis(result[rows], order, _mean_softmax(latent), axis=1)
    return result


def _mean_softmax(latent: Floats) -> Floats:
    """Softmax over the second axis, averaged over the last; written on the argument."""
    latent -= latent.max(axis=1, keepdims=True)
    np.exp(latent, out=latent)
    latent /= latent.sum(axis=1, keepdims=True)
    return np.asarray(latent.mean(axis=2))


def _definite(cov: Floats) -> Floats:
    """Covariances lifted above rounding errors."""
    largest = np.einsum("mcc->mc", cov).max(axis=1)
    lift = 1e-10 * np.maximum(largest, 1e-4)
    return np.asarray(cov + lift[:, None, None] * np.eye(cov.shape[1]))
