"""Maximum likelihood of the shape of a gamma distribution."""

import numpy as np
from scipy.special import digamma, polygamma

from margin.core.types import Floats

_STEPS = 40


def gamma_shape(gap: Floats) -> Floats:
    r"""The root :math:`\alpha` of :math:`\log\alpha - \psi(\alpha) = s`.

    ``gap`` is the logarithm of the mean less the mean of the logarithms, above 0. Newton's steps
    for :math:`1/\alpha`, which are nearly exact from the start.

    References
    ----------
    T. Minka (2002), Estimating a gamma distribution.

    Examples
    --------
    >>> float(gamma_shape(np.log(3.0) - digamma(3.0)).round(12))
    3.0
    """
    s = np.asarray(gap, dtype=np.float64)
    alpha = (3 - s + np.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)
    for _ in range(_STEPS):
        miss = np.log(alpha) - digamma(alpha) - s
        step = miss / (alpha * (1 - alpha * polygamma(1, alpha)))
        alpha = 1.0 / np.maximum(1.0 / alpha + step, 0.5 / alpha)
    return np.asarray(alpha)
