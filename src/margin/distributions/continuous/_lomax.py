"""The Lomax distribution: an exponential whose rate is uncertain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats
from margin.distributions._parameters import parameter, points, probabilities
from margin.distributions._parametric import Parametric
from margin.distributions._requirements import Seed, source


@dataclass(frozen=True, eq=False, repr=False)
class Lomax(Parametric):
    r"""Waiting time whose rate has a gamma distribution, or an array of them.

    .. math:: p(x) = \frac{\alpha}{\beta} \Big(1 + \frac x\beta\Big)^{-\alpha - 1}, \qquad x \ge 0

    The prediction of :class:`GammaExponential`.

    Parameters
    ----------
    concentration : array-like
        :math:`\alpha > 0`.
    scale : array-like
        :math:`\beta > 0`.

    Examples
    --------
    >>> float(Lomax(3.0, 4.0).mean)
    2.0
    """

    concentration: Floats
    scale: Floats

    def __init__(self, concentration: ArrayLike, scale: ArrayLike = 1.0) -> None:
        self._store(
            concentration=parameter(self, "concentration", concentration, positive=True),
            scale=parameter(self, "scale", scale, positive=True),
        )

    @property
    def mean(self) -> Floats:
        r""":math:`\beta/(\alpha - 1)`; infinite up to :math:`\alpha = 1`."""
        a = self.concentration
        return np.where(a > 1, self.scale / np.where(a > 1, a - 1.0, 1.0), np.inf)

    @property
    def var(self) -> Floats:
        r"""Infinite up to :math:`\alpha = 2`."""
        a = self.concentration
        below = np.where(a > 2, (a - 1.0) ** 2 * (a - 2.0), 1.0)
        return np.where(a > 2, self.scale**2 * a / below, np.inf)

    @property
    def mode(self) -> Floats:
        return np.zeros(self.shape)

    @property
    def entropy(self) -> Floats:
        return 1.0 + 1.0 / self.concentration + np.log(self.scale / self.concentration)

    def log_prob(self, x: ArrayLike) -> Floats:
        at = points(self, x)
        tail = np.log1p(np.maximum(at, 0.0) / self.scale)
        value = np.log(self.concentration / self.scale) - (self.concentration + 1.0) * tail
        return np.where(np.isnan(at), 0.0, np.where(at >= 0, value, -np.inf))

    def cdf(self, x: ArrayLike) -> Floats:
        at = np.maximum(points(self, x), 0.0)
        return -np.expm1(-self.concentration * np.log1p(at / self.scale))

    def quantile(self, q: ArrayLike) -> Floats:
        levels = probabilities(self, q, self.shape)
        with np.errstate(divide="ignore"):
            return self.scale * np.expm1(-np.log1p(-levels) / self.concentration)

    def sample(self, n: int, rng: Seed) -> Floats:
        return self.scale * source(self, n, rng).pareto(self.concentration, (n, *self.shape))
