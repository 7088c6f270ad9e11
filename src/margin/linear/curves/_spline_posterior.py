"""How uncertain a smoothing spline is, in the Bayesian view of it."""

import numpy as np

from margin.core.types import Floats


def spline_variance(x: Floats, knots: Floats, weight: Floats, alpha: float) -> Floats:
    r"""Posterior variance of a smoothing spline at any abscissae, in units of the noise variance.

    The spline is the posterior mean of :math:`f` under a flat prior of straight lines plus an
    integrated Wiener process, :math:`f''` white noise of intensity :math:`\sigma^2/\alpha`, seen
    with noise of variance :math:`\sigma^2 / s_i`. Given the pair :math:`z = (f, f')` at one point,
    what lies to its left and to its right are independent, so the precision of :math:`z` is the
    sum of what both sides tell, and each side is a recursion over the knots:

    .. math:: P \leftarrow F P F^\top + \tfrac1\alpha \begin{pmatrix} h^3/3 & h^2/2 \\ h^2/2 & h
              \end{pmatrix}, \qquad F = \begin{pmatrix} 1 & h \\ 0 & 1 \end{pmatrix}, \qquad
              P^{-1} \leftarrow P^{-1} + s_i e_1 e_1^\top .

    Parameters
    ----------
    x : ndarray of shape (m,)
    knots, weight : ndarray of shape (n,)
        Distinct rising abscissae, two at least, and the weights of the targets there.
    alpha : float
        Strength of the penalty, above 0.

    Returns
    -------
    ndarray of shape (m,)

    Notes
    -----
    Linear time. At a knot it is the leverage over the weight.

    References
    ----------
    Wahba, Improper priors, spline smoothing and the problem of guarding against model errors in
    regression, JRSS B 40 (1978).

    Examples
    --------
    Two knots and a line through them: the variance of least squares, growing outside.

    >>> spline_variance(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0]), np.ones(2), 1e12).round(6)
    array([1. , 0.5, 1. ])
    """
    span = float(knots[-1] - knots[0])
    t, at = (knots - knots[0]) / span, (x - knots[0]) / span
    noise = span**3 / alpha
    place = np.searchsorted(t, at, side="right")
    left = _side(at, place, t, weight, noise)
    # Seen from the right the process is the same, with slopes of the other sign.
    right = _side(-at, len(t) - place, -t[::-1], weight[::-1], noise)
    a, b, d = left[0] + right[0], left[1] - right[1], left[2] + right[2]
    return np.asarray(d / (a * d - b * b))


def _side(
    at: Floats, place: Floats, t: Floats, weight: Floats, noise: float
) -> tuple[Floats, Floats, Floats]:
    """Precision of (f, f') at each abscissa by the first ``place`` knots, all to its left."""
    spread = _filtered(t, weight, noise)
    seen = np.maximum(place - 1, 0)
    h = at - t[seen]
    with np.errstate(over="ignore", invalid="ignore"):
        p, c, v = spread[seen].T
        p, c, v = _ahead(p, c, v, h, noise)
        det = p * v - c * c
        many = np.stack([v / det, -c / det, p / det])
    # One knot tells of the line through it and the point only: a precision of rank one.
    lone = 1.0 / (1.0 / weight[0] + noise * np.abs(h) ** 3 / 3)
    one = np.stack([lone, -h * lone, h * h * lone])
    precision = np.where(place >= 2, many, np.where(place == 1, one, 0.0))
    return precision[0], precision[1], precision[2]


def _ahead(p: Floats, c: Floats, v: Floats, h: Floats, noise: float) -> tuple[Floats, ...]:
    """Covariance of the pair a distance further on."""
    return (
        p + 2 * h * c + h * h * v + noise * h**3 / 3,
        c + h * v + noise * h * h / 2,
        v + noise * h,
    )


def _filtered(t: Floats, weight: Floats, noise: float) -> Floats:
    """Covariances (f f, f f', f' f') at every knot by the targets up to it; the first has none."""
    gaps, variances = np.diff(t).tolist(), (1.0 / weight).tolist()
    h, first, second = gaps[0], variances[0], variances[1]
    p, c = second, second / h
    v = (first + second + noise * h**3 / 3) / (h * h)
    steps = [(np.nan, np.nan, np.nan), (p, c, v)]
    for h, variance in zip(gaps[1:], variances[2:], strict=True):
        p, c, v = (
            p + 2 * h * c + h * h * v + noise * h**3 / 3,
            c + h * v + noise * h * h / 2,
            v + noise * h,
        )
        share = variance / (p + variance)
        gain = c / (p + variance)
        p, c, v = share * p, share * c, v - gain * c
        steps.append((p, c, v))
    return np.array(steps)
