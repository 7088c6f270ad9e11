"""Likelihoods of two classes given a latent value: logistic and probit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit, log_ndtr, logsumexp, ndtr

from margin.core.types import Floats

_LOG_2PI = float(np.log(2 * np.pi))
_REACH = 9.0
_STEP = 0.75
_BLOCK = 1 << 22


class Local(NamedTuple):
    """Log likelihood of every row with its first three derivatives in the latent value."""

    log_prob: Floats
    first: Floats
    second: Floats
    third: Floats


class Tilted(NamedTuple):
    """Log normaliser, mean and variance of a normal density times the likelihood."""

    log_mass: Floats
    mean: Floats
    var: Floats


class Likelihood(ABC):
    r"""Probability :math:`p(t \mid f) = s(tf)` of a label :math:`t = \pm1` given a latent value."""

    @abstractmethod
    def local(self, t: Floats, f: Floats) -> Local:
        """Log likelihood and derivatives at ``f``."""

    @abstractmethod
    def tilted(self, t: Floats, mean: Floats, var: Floats) -> Tilted:
        r"""Moments of :math:`N(f; \mu, v)\, s(t f)`."""

    @abstractmethod
    def average(self, mean: Floats, var: Floats) -> Floats:
        r"""Probability of :math:`t = 1` averaged over :math:`f \sim N(\mu, v)` (gp.13)."""


@dataclass(frozen=True)
class LogisticLikelihood(Likelihood):
    r"""Logistic likelihood :math:`s(z) = 1 / (1 + e^{-z})`.

    Averages have no closed form: they are trapezoidal sums, which converge exponentially for such
    smooth integrands.

    Examples
    --------
    >>> LogisticLikelihood().average(np.array([0.0, 2.0]), np.array([4.0, 0.0])).round(6)
    array([0.5     , 0.880797])
    """

    def local(self, t: Floats, f: Floats) -> Local:
        p = expit(f)
        curvature = p * (1.0 - p)
        return Local(
            log_expit(t * f), 0.5 * (t + 1.0) - p, -curvature, -curvature * (1.0 - 2.0 * p)
        )

    def tilted(self, t: Floats, mean: Floats, var: Floats) -> Tilted:
        moments = [np.empty(len(mean)) for _ in range(3)]
        step = max(1, _BLOCK // _nodes(var))
        for start in range(0, len(mean), step):
            rows = slice(start, start + step)
            part = _logistic_moments(t[rows] * mean[rows], var[rows])
            for whole, values in zip(moments, part, strict=True):
                whole[rows] = values
        return Tilted(moments[0], t * moments[1], moments[2])

    def average(self, mean: Floats, var: Floats) -> Floats:
        # The smaller of both probabilities keeps its digits, so the sum is of the smaller.
        small = np.exp(self.tilted(np.ones(len(mean)), -np.abs(mean), var).log_mass)
        return np.where(mean > 0, 1.0 - small, small)


def _nodes(var: Floats) -> int:
    widest = float(np.sqrt(np.max(var, initial=0.0)))
    return int(np.ceil((2 * _REACH + min(widest, 20.0)) / _STEP * max(1.0, widest))) + 1


def _logistic_moments(mean: Floats, var: Floats) -> tuple[Floats, Floats, Floats]:
    """Moments for the label one; the likelihood tilts the mass upwards by a deviation at most."""
    std = np.sqrt(var)
    low, high = np.full(len(mean), -_REACH), _REACH + np.minimum(std, 20.0)
    u = np.linspace(low, high, _nodes(var), axis=1)
    z = mean[:, None] + std[:, None] * u
    log_weight = log_expit(z) - 0.5 * u**2
    width = (high - low) / (u.shape[1] - 1)
    total = logsumexp(log_weight, axis=1)
    share = np.exp(log_weight - total[:, None])
    shift = np.sum(share * u, axis=1)
    spread = np.sum(share * (u - shift[:, None]) ** 2, axis=1)
    return total + np.log(width) - 0.5 * _LOG_2PI, mean + std * shift, var * spread


@dataclass(frozen=True)
class ProbitLikelihood(Likelihood):
    r"""Probit likelihood :math:`s(z) = \Phi(z)`, whose averages have closed forms.

    .. math:: \int \Phi(f)\, N(f; \mu, v)\, df = \Phi\bigl(\mu / \sqrt{1 + v}\bigr)

    Examples
    --------
    >>> ProbitLikelihood().average(np.array([1.0]), np.array([3.0])).round(6)
    array([0.691462])
    """

    def local(self, t: Floats, f: Floats) -> Local:
        z = t * f
        ratio = _hazard(z)
        curvature = ratio * (ratio + z)
        slope = ratio * (1.0 - curvature) - curvature * (ratio + z)
        return Local(log_ndtr(z), t * ratio, -curvature, -t * slope)

    def tilted(self, t: Floats, mean: Floats, var: Floats) -> Tilted:
        root = np.sqrt(1.0 + var)
        z = t * mean / root
        ratio = _hazard(z)
        shift = var * ratio / root
        shrink = var * ratio * (z + ratio) / (1.0 + var)
        return Tilted(log_ndtr(z), mean + t * shift, var * (1.0 - shrink))

    def average(self, mean: Floats, var: Floats) -> Floats:
        return np.asarray(ndtr(mean / np.sqrt(1.0 + var)))


def _hazard(z: Floats) -> Floats:
    """Ratio of the normal density to its integral, without underflow."""
    return np.asarray(np.exp(-0.5 * z**2 - 0.5 * _LOG_2PI - log_ndtr(z)))
