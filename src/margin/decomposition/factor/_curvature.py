"""Exact curvature of the likelihood of factor analysis in the noise."""

import numpy as np

from margin.core.types import Floats

_APART = 1e-9


def exact_hessian(values: Floats, vectors: Floats, n_kept: int) -> tuple[Floats, Floats]:
    r"""Gradient and Hessian of minus the mean log-likelihood in :math:`t = \log\psi`.

    With the eigenpairs :math:`\theta_m, v_m` of :math:`\Psi^{-1/2} S \Psi^{-1/2}`, the first
    :math:`k` of them kept, and :math:`c_m = v_{im} v_{jm}`,

    .. math:: H_{ij} = \tfrac12 \Big[R_{ij} P_{ij} + \sum_{m > k} \sum_{n \le k} (1 - \theta_m)
              \frac{\theta_n + \theta_m}{\theta_n - \theta_m}\, c_m c_n\Big],

    :math:`R` and :math:`P` as in :func:`newton`. The second term is what the approximation there
    leaves out; it vanishes where all :math:`\theta_m = 1`, and may be negative.

    Parameters
    ----------
    values : ndarray of shape (p,)
        Falling.
    vectors : ndarray of shape (p, p)
    n_kept : int

    Notes
    -----
    :math:`k p^3` multiplications.

    Examples
    --------
    Without factors every noise variance is by itself, and 1 is the best of all.

    >>> gradient, hessian = exact_hessian(np.ones(2), np.eye(2), 0)
    >>> gradient.tolist(), hessian.tolist()
    ([0.0, 0.0], [[0.5, 0.0], [0.0, 0.5]])
    """
    inside, out = vectors[:, :n_kept], vectors[:, n_kept:]
    kept, rest = values[:n_kept], values[n_kept:]
    gradient = 0.5 * (out**2) @ (1 - rest)
    hessian = ((out * rest) @ out.T) * (out @ out.T)
    for theta, v in zip(kept, inside.T, strict=True):
        apart = np.maximum(theta - rest, _APART * theta)
        ratio = (1 - rest) * (theta + rest) / apart
        hessian += np.outer(v, v) * ((out * ratio) @ out.T)
    return gradient, 0.25 * (hessian + hessian.T)
