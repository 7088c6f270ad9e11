"""Losses that a far residual cannot dominate, as reweighting needs them."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from margin.core.types import Floats

DEFAULT_DELTA = {"huber": 1.345, "tukey": 4.685, "absolute": 1e-3}
_FAR = 12.0  # beyond, a normal density is nothing


@dataclass(frozen=True)
class RobustLoss:
    r"""A loss :math:`\rho(u)` of the residual in units of the noise.

    Parameters
    ----------
    kind : {"huber", "absolute", "tukey"}
        Huber's, which with a small ``delta`` is a rounded absolute value, or Tukey's biweight.
    delta : float
        Where the loss leaves the parabola.

    Examples
    --------
    >>> RobustLoss("huber", 1.0).weight(np.array([0.5, -4.0]))
    array([1.  , 0.25])
    >>> round(1.0 / RobustLoss("huber", 1.345).inefficiency, 3)
    0.95
    """

    kind: str
    delta: float

    def value(self, u: Floats) -> Floats:
        """The loss."""
        size = np.abs(u)
        if self.kind == "tukey":
            rest = 1 - np.minimum(size / self.delta, 1.0) ** 2
            return np.asarray(self.delta**2 / 6 * (1 - rest**3))
        return np.where(size <= self.delta, 0.5 * u**2, self.delta * (size - 0.5 * self.delta))

    def weight(self, u: Floats) -> Floats:
        """Slope of the loss over the residual: what the row counts in the next least squares."""
        size = np.abs(u)
        if self.kind == "tukey":
            inside = (1 - np.minimum(size / self.delta, 1.0) ** 2) ** 2
            return np.where(size < self.delta, inside, 0.0)
        return np.minimum(1.0, self.delta / np.maximum(size, np.finfo(float).tiny))

    @property
    def inefficiency(self) -> float:
        r"""Variance of the estimates over that of least squares, for Gaussian noise.

        :math:`E[\rho'(u)^2] / E[\rho''(u)]^2` for :math:`u \sim N(0, 1)`.
        """
        d = self.delta
        if self.kind == "tukey":
            nodes, shares = np.polynomial.legendre.leggauss(100)
            width = min(d, _FAR)
            u, inside = width * nodes, (width * nodes / d) ** 2
            density = width * shares * np.exp(-0.5 * u**2) / np.sqrt(2 * np.pi)
            slope, bend = u * (1 - inside) ** 2, (1 - inside) * (1 - 5 * inside)
            return float((slope**2 @ density) / (bend @ density) ** 2)
        within = 2 * float(ndtr(d)) - 1
        at_delta = float(np.exp(-0.5 * d * d) / np.sqrt(2 * np.pi))
        squares = within - 2 * d * at_delta + 2 * d * d * float(ndtr(-d))
        return squares / within**2
