"""Densities of functions of a random variable."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.distributions._base import Univariate
from margin.distributions._requirements import Seed

_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Transformed:
    r"""Distribution of :math:`y = g(x)` for a one-to-one ``g`` (distributions.14).

    .. math:: p(y) = p(x) \left|\det\frac{dx}{dy}\right|, \qquad x = g^{-1}(y)

    Parameters
    ----------
    base : distribution
        Of ``x``: one number, or a vector.
    forward, inverse : callable
        :math:`g` and :math:`g^{-1}`, on arrays.
    log_jacobian : callable, optional
        :math:`\log|\det dx/dy|` at ``y``; by differences where it is absent.

    Examples
    --------
    >>> from margin.distributions import Normal
    >>> log_normal = Transformed(Normal(0.0, 1.0), np.exp, np.log)
    >>> float(np.exp(log_normal.log_prob(1.0)).round(6))
    0.398942
    """

    base: Any
    forward: Callable[[Floats], Any]
    inverse: Callable[[Floats], Any]
    log_jacobian: Callable[[Floats], Any] | None = None

    def log_prob(self, y: ArrayLike) -> Floats:
        """Log density at ``y``; NaN, as a whole, is unobserved."""
        at = np.asarray(y, dtype=np.float64)
        density = np.asarray(self.base.log_prob(np.asarray(self.inverse(at), dtype=np.float64)))
        jacobian = self.log_jacobian or self._differences
        change = np.asarray(jacobian(at), dtype=np.float64)
        return np.where(np.isnan(change), 0.0, density + np.nan_to_num(change))[()]

    def sample(self, n: int, rng: Seed) -> Floats:
        """``n`` draws: those of the base, transformed."""
        return np.asarray(self.forward(self.base.sample(n, rng)), dtype=np.float64)

    def cdf(self, y: ArrayLike) -> Floats:
        """Probability of at most ``y``, for one number and a monotone ``g``."""
        at = np.asarray(y, dtype=np.float64)
        below = np.asarray(self.base.cdf(np.asarray(self.inverse(at))))
        low, high = self.forward(self.base.quantile(0.25)), self.forward(self.base.quantile(0.75))
        return np.where(np.asarray(high) >= np.asarray(low), below, 1.0 - below)[()]

    def quantile(self, q: ArrayLike) -> Floats:
        """Where the cumulative probability reaches ``q``, for a monotone ``g``."""
        levels = np.asarray(q, dtype=np.float64)
        rising = self.forward(self.base.quantile(0.75)) >= self.forward(self.base.quantile(0.25))
        side = levels if np.all(rising) else 1.0 - levels
        return np.asarray(self.forward(self.base.quantile(side)), dtype=np.float64)

    def _differences(self, y: Floats) -> Floats:
        """Logarithm of the Jacobian of the inverse by central differences."""
        if isinstance(self.base, Univariate):
            step = _STEP * np.maximum(1.0, np.abs(y))
            rise = np.asarray(self.inverse(y + step)) - np.asarray(self.inverse(y - step))
            return np.asarray(np.log(np.abs(rise / (2 * step))))
        columns = []
        for j in range(y.shape[-1]):
            step = np.zeros_like(y)
            step[..., j] = _STEP * np.maximum(1.0, np.abs(y[..., j]))
            rise = np.asarray(self.inverse(y + step)) - np.asarray(self.inverse(y - step))
            columns.append(rise / (2 * step[..., j : j + 1]))
        return np.asarray(np.linalg.slogdet(np.stack(columns, axis=-1))[1])
