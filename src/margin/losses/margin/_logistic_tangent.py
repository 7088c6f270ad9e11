"""Tangents of the logistic loss."""

from typing import Any

import numpy as np
from scipy.special import entr, expit

from margin.core import check
from margin.core.types import Floats


def logistic_tangent(t: Any, a: Any) -> Floats:
    r"""Variational lower bound of the logistic loss at the margin ``t`` (losses.09).

    .. math:: \log(1 + e^{-t}) \ge -a t + H(a), \qquad
        H(a) = -a \log a - (1 - a) \log(1 - a), \quad a \in [0, 1].

    The bound is the tangent of slope :math:`-a`; it touches at :math:`a = \sigma(-t)`
    (:func:`touching_slope`). Linear in the margin, it turns the primal of logistic regression into
    its dual.

    Parameters
    ----------
    t : array-like
        Margins :math:`y z` for labels -1/+1.
    a : array-like
        Minus the slopes, between 0 and 1; broadcast against ``t``.

    Examples
    --------
    >>> logistic_tangent(0.0, [0.0, 0.5, 1.0]).round(6)
    array([0.      , 0.693147, 0.      ])
    """
    t, a = np.asarray(t, dtype=np.float64), np.asarray(a, dtype=np.float64)
    if not ((a >= 0) & (a <= 1)).all():
        raise check.fail("logistic_tangent", "a", "between 0 and 1 everywhere", a)
    return np.asarray(entr(a) + entr(1.0 - a) - a * t)


def touching_slope(t: Any) -> Floats:
    r"""The ``a`` of the tangent that touches at the margin ``t``: :math:`\sigma(-t)` (losses.09).

    Examples
    --------
    >>> float(touching_slope(0.0))
    0.5
    """
    return np.asarray(expit(-np.asarray(t, dtype=np.float64)))
