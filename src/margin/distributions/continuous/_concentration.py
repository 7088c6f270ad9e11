"""Maximum likelihood of the concentrations of beta and Dirichlet distributions."""

import numpy as np
from scipy.special import digamma, polygamma

from margin.core.types import Floats

_FIXED_POINT_STEPS = 10
_NEWTON_STEPS = 60


def inverse_digamma(value: Floats) -> Floats:
    r"""The root of :math:`\psi(x) = y`, by Newton's steps from Minka's start.

    Examples
    --------
    >>> inverse_digamma(digamma(np.array([0.01, 1.0, 500.0]))).round(9)
    array([1.e-02, 1.e+00, 5.e+02])
    """
    y = np.asarray(value, dtype=np.float64)
    small = -1.0 / (np.minimum(y, -2.0) - digamma(1.0))
    x = np.where(y >= -2.22, np.exp(np.minimum(y, 700.0)) + 0.5, small)
    for _ in range(6):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return np.asarray(x)


def concentrations(mean_log: Floats) -> Floats:
    r"""Maximum-likelihood :math:`\alpha` of proportions with these means of logarithms.

    Solves :math:`\psi(\alpha_j) - \psi(\sum\alpha) = \overline{\log x_j}`, whose likelihood is
    concave: a few steps of the fixed point, then Newton's with the inverse of a diagonal plus a
    constant.

    Parameters
    ----------
    mean_log : ndarray of shape (..., K)
        Their exponentials sum to less than one.

    References
    ----------
    T. Minka (2000), Estimating a Dirichlet distribution.

    Examples
    --------
    >>> alpha = np.array([0.3, 2.0, 7.0])
    >>> concentrations(digamma(alpha) - digamma(alpha.sum())).round(9)
    array([0.3, 2. , 7. ])
    """
    target = np.asarray(mean_log, dtype=np.float64)
    alpha = np.ones(target.shape)
    for _ in range(_FIXED_POINT_STEPS):
        alpha = inverse_digamma(target + digamma(alpha.sum(axis=-1, keepdims=True)))
    for _ in range(_NEWTON_STEPS):
        total = alpha.sum(axis=-1, keepdims=True)
        slope = digamma(total) - digamma(alpha) + target
        curve, common = -polygamma(1, alpha), polygamma(1, total)
        shift = np.sum(slope / curve, axis=-1, keepdims=True)
        shift = shift / (1.0 / common + np.sum(1.0 / curve, axis=-1, keepdims=True))
        # A step may not take more than nine tenths of a concentration.
        alpha = np.maximum(alpha - (slope - shift) / curve, 0.1 * alpha)
    return np.asarray(alpha)
