"""How far a maximum-likelihood estimate may be off."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from margin.core import check
from margin.core.types import Floats
from margin.distributions._requirements import numbers
from margin.distributions.information._fisher import curvatures, scores
from margin.distributions.statistics._weights import row_weights
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False)
class AsymptoticNormal:
    r"""Estimate with the two covariances of its limit law (distributions.40).

    .. math:: \sqrt n\,(\hat\theta - \theta) \to N(0, J^{-1} I J^{-1})

    Parameters
    ----------
    theta : ndarray of shape (p,)
        The estimate.
    fisher : ndarray of shape (p, p)
        :math:`J^{-1}/n`: right where the model is.
    sandwich : ndarray of shape (p, p)
        :math:`J^{-1} I J^{-1}/n`: right also where the model is only the nearest one.
    """

    theta: Floats
    fisher: Floats
    sandwich: Floats

    def standard_errors(self, *, robust: bool = True) -> Floats:
        """Of the parameters, by the sandwich or by Fisher's information."""
        return np.sqrt(np.diagonal(self.sandwich if robust else self.fisher))

    def interval(self, level: float = 0.95, *, robust: bool = True) -> tuple[Floats, Floats]:
        """Confidence intervals of the parameters: lower and upper ends.

        Parameters
        ----------
        level : float
            Share of samples whose interval holds the parameter, as their number grows.
        robust : bool
            Whether by the sandwich or by Fisher's information.
        """
        if not 0 < level < 1:
            raise check.fail(self, "level", "a number between 0 and 1, both excluded", level)
        reach = float(ndtri((1 + level) / 2)) * self.standard_errors(robust=robust)
        return self.theta - reach, self.theta + reach

    def transformed(self, function: Callable[[Floats], ArrayLike]) -> "AsymptoticNormal":
        r"""The same for :math:`g(\theta)`: the most likely value is :math:`g(\hat\theta)`.

        Covariances follow by the slope of ``g`` (the delta method).
        """
        image = np.atleast_1d(np.asarray(function(self.theta), dtype=np.float64))
        slope = np.empty((len(image), len(self.theta)))
        for j, h in enumerate(1e-5 * np.maximum(1.0, np.abs(self.theta))):
            step = np.eye(len(self.theta))[j] * h
            rise = np.asarray(function(self.theta + step)) - np.asarray(function(self.theta - step))
            slope[:, j] = np.atleast_1d(rise) / (2 * h)
        return AsymptoticNormal(
            image, slope @ self.fisher @ slope.T, slope @ self.sandwich @ slope.T
        )


def sandwich_covariance(
    make: Callable[[Floats], Any],
    theta: ArrayLike,
    X: ArrayLike,
    weight: ArrayLike | None = None,
) -> AsymptoticNormal:
    r"""Limit law of the maximum-likelihood estimate ``theta`` (distributions.40).

    With the curvature :math:`J = -\tfrac1n\sum \nabla^2\log p(x_i)` and the scores'
    :math:`I = \tfrac1n\sum\nabla\log p\,\nabla\log p^\top`, both at the estimate.

    Parameters
    ----------
    make : callable
        The distribution with parameters ``theta``.
    theta : array-like of shape (p,)
        The estimate, at a maximum of the likelihood.
    X : array-like of shape (n, ...)
        Rows; NaN is marginalised.
    weight : array-like of shape (n,), optional
        How often each row counts.

    References
    ----------
    H. White (1982), Maximum likelihood estimation of misspecified models.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.distributions import Poisson
    >>> x = np.array([0.0, 0.0, 0.0, 0.0, 10.0])  # no Poisson sample
    >>> law = sandwich_covariance(lambda t: Poisson(t[0]), [2.0], x)
    >>> law.standard_errors(robust=False).round(4), law.standard_errors().round(4)
    (array([0.6325]), array([1.7889]))
    """
    owner = "sandwich_covariance"
    rows = numbers(owner, "X", X)
    at = np.atleast_1d(np.asarray(theta, dtype=np.float64))
    w = row_weights(owner, weight, len(rows))
    if not w.sum() > 0:
        raise check.fail(owner, "weight", "above 0 for some row", float(w.sum()))
    bend = -np.tensordot(w, curvatures(make, at, rows), 1)
    slope = scores(make, at, rows)
    factor = cholesky((bend + bend.T) / 2, name="curvature of the likelihood", max_jitter=0.0)
    inverse = factor.solve(np.eye(len(at)))
    half = factor.solve((slope * np.sqrt(w)[:, None]).T)
    return AsymptoticNormal(at, (inverse + inverse.T) / 2, half @ half.T)
