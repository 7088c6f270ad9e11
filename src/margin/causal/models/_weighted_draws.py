"""Answers as weighted draws, and the weights of what was observed."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core.types import Floats

Name = Hashable


@dataclass(frozen=True, eq=False)
class WeightedDraws:
    """An answer as weighted draws.

    Parameters
    ----------
    variables : tuple of names
    draws : ndarray of shape (n_samples, k) or (n_rows, n_samples, k)
    weights : ndarray of shape (n_samples,) or (n_rows, n_samples)
        Of sum one.
    """

    variables: tuple[Name, ...]
    draws: Floats = field(repr=False)
    weights: Floats = field(repr=False)

    @property
    def mean(self) -> Floats:
        """Weighted means."""
        return np.asarray(np.einsum("...s,...sk->...k", self.weights, self.draws))

    @property
    def var(self) -> Floats:
        """Weighted variances."""
        gaps = self.draws - self.mean[..., None, :]
        return np.asarray(np.einsum("...s,...sk->...k", self.weights, gaps**2))

    @property
    def effective_draws(self) -> Any:
        """Draws that the weights are worth; few mean a poor answer."""
        worth = 1.0 / (self.weights**2).sum(axis=-1)
        return float(worth) if worth.ndim == 0 else worth

    def first(self) -> "WeightedDraws":
        """The answer of the first row alone."""
        return WeightedDraws(self.variables, self.draws[0], self.weights[0])


def noise_log_density(residuals: Floats, at: Floats) -> Floats:
    """Log-density of noise, by a normal kernel around at most a thousand residuals.

    Far from all of them it falls as that of the nearest, so that weights never come out even where
    nothing is likely.

    Examples
    --------
    >>> noise_log_density(np.array([-1.0, 0.0, 1.0]), np.array([0.0, 90.0])).round(1)
    array([-1.1000e+00, -8.2066e+03])
    """
    few = residuals if len(residuals) <= 1000 else np.quantile(residuals, np.linspace(0, 1, 1000))
    width = max(1.06 * float(few.std()) * len(few) ** -0.2, 1e-12)
    low, high = few.min() - 4 * width, few.max() + 4 * width
    grid = np.linspace(low, high, 2000)
    log_density = logsumexp(-0.5 * ((grid[:, None] - few) / width) ** 2, axis=1)
    inside = np.interp(at, grid, log_density)
    beyond = np.maximum(low - at, at - high).clip(min=0) / width
    tail = -0.5 * ((beyond + 4) ** 2 - 16)
    return np.asarray(inside + tail - np.log(len(few) * width * np.sqrt(2 * np.pi)))
