"""James-Stein shrinkage of a vector of means."""

from numbers import Real
from typing import Any, Literal

import numpy as np

from margin.core import check
from margin.core.types import Floats


def james_stein(
    x: Any,
    variance: float = 1.0,
    *,
    positive_part: bool = True,
    towards: Literal["zero", "mean"] = "zero",
) -> Floats:
    r"""Estimate many Gaussian means at once, better than by the observations (distributions.41).

    For :math:`x \sim N(\theta, \sigma^2 I)` in :math:`d \ge 3` dimensions

    .. math:: \hat\theta = \Big(1 - \frac{(d - 2)\,\sigma^2}{\|x\|^2}\Big)_{\!+} x

    has a smaller expected squared error than the maximum-likelihood estimate ``x``, whatever
    :math:`\theta` is; at :math:`\theta = 0`, without the positive part, it is
    :math:`2\sigma^2` instead of :math:`d\sigma^2`. Below three dimensions nothing beats ``x``
    everywhere, and ``x`` is returned.

    Parameters
    ----------
    x : array-like of shape (d,) or (..., d)
        Observations, one of each mean; leading axes are separate problems.
    variance : float, default=1.0
        Noise variance :math:`\sigma^2` of each observation, above 0.
    positive_part : bool, default=True
        Whether the factor stops at 0 instead of turning the vector around, which is better still.
    towards : {"zero", "mean"}, default="zero"
        What to shrink to: the origin, or the common mean of the vector, which costs one dimension
        (:math:`d - 3`, four dimensions at least).

    Returns
    -------
    ndarray of the shape of ``x``

    References
    ----------
    W. James and C. Stein, Estimation with quadratic loss (1961).

    Examples
    --------
    >>> james_stein([3.0, 4.0, 0.0])
    array([2.88, 3.84, 0.  ])
    >>> james_stein([3.0, 4.0])
    array([3., 4.])
    """
    values = np.array(x, dtype=np.float64)
    if values.ndim == 0 or not np.isfinite(values).all():
        raise check.fail("james_stein", "x", "finite numbers in at least one dimension", x)
    given: Any = variance
    if isinstance(given, bool) or not isinstance(given, Real) or not 0 < float(given) < np.inf:
        raise check.fail("james_stein", "variance", "a number above 0", variance)
    if towards not in ("zero", "mean"):
        raise check.fail("james_stein", "towards", "one of 'zero', 'mean'", towards)
    centred = towards == "mean"
    freedom = values.shape[-1] - (3 if centred else 2)
    if freedom <= 0:
        return values
    target = values.mean(axis=-1, keepdims=True) if centred else 0.0
    away = values - target
    length = np.sum(away**2, axis=-1, keepdims=True)
    factor = 1.0 - freedom * variance / np.where(length > 0, length, np.inf)
    return np.asarray(target + (np.maximum(factor, 0.0) if positive_part else factor) * away)
