"""Expectations under Wishart laws that variational inference needs."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import digamma

from margin.core.types import Floats
from margin.distributions.multivariate._multivariate_normal import MultivariateNormal
from margin.linalg import cholesky

_LOG_2PI = float(np.log(2 * np.pi))


def log_dets(matrices: Floats) -> Any:
    """Logarithms of the determinants of positive-definite matrices of shape (..., d, d).

    Examples
    --------
    >>> log_dets(np.eye(2))
    0.0
    """
    if matrices.ndim == 2:
        return cholesky(matrices, name="scale").log_det
    return np.array([cholesky(m, name="scale").log_det for m in matrices])


def expected_log_det_precision(df: Any, scale: Floats) -> Floats:
    r""":math:`E \log\det\Sigma^{-1} = \sum_{i=1}^d \psi(\tfrac{\nu + 1 - i}2) + d\log 2 -
    \log\det\Psi` for :math:`\Sigma \sim W^{-1}(\Psi, \nu)`.
    """
    d = scale.shape[-1]
    halves = (np.asarray(df)[..., None] - np.arange(d)) / 2
    return np.asarray(digamma(halves).sum(axis=-1) + d * np.log(2) - log_dets(scale))


def expected_log_density(
    plug_in: MultivariateNormal, strength: Any, df: Any, scale: Floats, X: ArrayLike
) -> Floats:
    r"""Expected log density of rows under a normal-inverse-Wishart belief.

    ``plug_in`` is :math:`N(m, \Psi/\nu)`; the expectation differs from its log density by
    :math:`\tfrac12 [E\log\det\Sigma^{-1} - \log\det(\nu\Psi^{-1}) - d/\kappa]`, whatever part of
    the row was observed.
    """
    d = scale.shape[-1]
    height = expected_log_det_precision(df, scale) - (d * np.log(df) - log_dets(scale))
    return np.asarray(plug_in.log_prob_rows(X) + 0.5 * (height - d / np.asarray(strength)))
