"""Hamiltonian motion: a point, its momentum, and steps that keep volume and can be undone."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from margin.core.types import Floats
from margin.inference._differentiable import ValueAndGradient


class Phase(NamedTuple):
    """A point with its log density and gradient, momentum and velocity.

    ``pull`` is what the gradient does to the velocity: the covariance times it.
    """

    x: Floats
    value: float
    gradient: Floats
    pull: Floats
    momentum: Floats
    velocity: Floats

    @property
    def log_joint(self) -> float:
        """Log density of point and momentum, up to a constant; −inf where it broke down."""
        total = self.value - 0.5 * float(self.momentum @ self.velocity)
        return total if total == total else -np.inf


@dataclass(frozen=True)
class Metric:
    r"""The covariance of the law, as far as it is known: velocity is covariance times momentum.

    Parameters
    ----------
    covariance : ndarray of shape (d, d) or (d,)
        Dense, or variances only.

    Examples
    --------
    >>> Metric(np.array([4.0])).velocity(np.array([0.5]))
    array([2.])
    """

    covariance: Floats

    @cached_property
    def _root(self) -> Floats:
        dense = self.covariance.ndim == 2
        return np.asarray(
            cholesky(self.covariance, lower=True) if dense else np.sqrt(self.covariance)
        )

    def velocity(self, momentum: Floats) -> Floats:
        """Direction in which a momentum moves."""
        if self.covariance.ndim == 2:
            return self.covariance @ momentum
        return self.covariance * momentum

    def draw(self, rng: np.random.Generator) -> Floats:
        """A momentum, normal with the inverse covariance."""
        noise = rng.standard_normal(len(self.covariance))
        if self._root.ndim == 2:
            return np.asarray(solve_triangular(self._root, noise, lower=True, trans="T"))
        return noise / self._root


def leapfrog(function: ValueAndGradient, metric: Metric, at: Phase, step: float) -> Phase:
    r"""Half a step of the momentum, a whole one of the point, half one of the momentum.

    The energy changes by :math:`O(\epsilon^2)` over a path of fixed length (``inference.25``).
    """
    half = 0.5 * step
    velocity = at.velocity + half * at.pull
    x = at.x + step * velocity
    value, gradient = function(x)
    pull = metric.velocity(gradient)
    momentum = at.momentum + half * (at.gradient + gradient)
    return Phase(x, value, gradient, pull, momentum, velocity + half * pull)


def departing(
    metric: Metric, x: Floats, value: float, gradient: Floats, rng: np.random.Generator
) -> Phase:
    """A point with a momentum drawn anew."""
    momentum = metric.draw(rng)
    pull, velocity = metric.velocity(gradient), metric.velocity(momentum)
    return Phase(x, value, gradient, pull, momentum, velocity)


def first_step(
    function: ValueAndGradient, metric: Metric, at: Phase, rng: np.random.Generator
) -> float:
    """A step size whose acceptance is about one half: doubled or halved until it crosses it."""
    step, direction = 1.0, 0
    for _ in range(100):
        begin = departing(metric, at.x, at.value, at.gradient, rng)
        with np.errstate(all="ignore"):
            change = leapfrog(function, metric, begin, step).log_joint - begin.log_joint
        wanted = 1 if change > np.log(0.8) else -1
        if direction == 0:
            direction = wanted
        if wanted != direction:
            break
        step *= 2.0**direction
    return step
