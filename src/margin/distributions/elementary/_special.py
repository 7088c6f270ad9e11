"""Special functions that constants of distributions are made of."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln, kve

from margin.core.types import Floats


def log_gamma(x: ArrayLike) -> Floats:
    r""":math:`\log\Gamma(x)`, :math:`\Gamma(n) = (n - 1)!` (distributions.13).

    Examples
    --------
    >>> import numpy as np
    >>> float(np.exp(log_gamma(5.0)).round(9))
    24.0
    """
    return np.asarray(gammaln(np.asarray(x, dtype=np.float64)))


def log_beta(a: ArrayLike, b: ArrayLike) -> Floats:
    r""":math:`\log B(a, b) = \log\Gamma(a) + \log\Gamma(b) - \log\Gamma(a + b)`.

    (distributions.13.)

    Examples
    --------
    >>> import numpy as np
    >>> float(np.exp(-log_beta(2.0, 3.0)).round(9))
    12.0
    """
    return np.asarray(betaln(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)))


def log_multivariate_beta(alpha: ArrayLike) -> Floats:
    r""":math:`\log B(\alpha) = \sum_j\log\Gamma(\alpha_j) - \log\Gamma(\sum_j\alpha_j)`.

    (distributions.13.) The constant of a Dirichlet distribution, along the last axis.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(-log_multivariate_beta([[2.0, 2.0, 2.0], [20.0, 2.0, 2.0]])).round().tolist()
    [120.0, 212520.0]
    """
    a = np.asarray(alpha, dtype=np.float64)
    return np.asarray(gammaln(a).sum(axis=-1) - gammaln(a.sum(axis=-1)))


def log_bessel_k(order: ArrayLike, x: ArrayLike) -> Floats:
    r""":math:`\log K_\nu(x)` of the modified Bessel function of the second kind.

    (distributions.13.) Scaled before the logarithm, so that it does not underflow for large ``x``.

    Examples
    --------
    >>> float(log_bessel_k(0.5, 2.0).round(6))  # log sqrt(pi / 4) - 2
    -2.120782
    >>> float(log_bessel_k(0.5, 1e4).round(3))
    -10004.379
    """
    at = np.asarray(x, dtype=np.float64)
    return np.asarray(np.log(kve(np.asarray(order, dtype=np.float64), at)) - at)
