"""Where an exact search starts: hyper-parameters and curvature from a part of the rows."""

from dataclasses import replace
from typing import Any

import numpy as np

from margin.core import FitError, objects
from margin.core.types import Floats, Indices
from margin.gp.learning._learning import learn
from margin.gp.learning._settings import LearningSettings
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations

_MANY_ROWS, _EVERY = 600, 4  # rows from which an exact fit starts from a part, and which part
_ROUGH = 1e-4  # gradient per row that is good enough for a start
_AWAY = 0.1  # distance of a logarithm from its bound
_STEP = 1e-3  # of differences of logarithms


def near_guess(
    settings: LearningSettings, kernel: Any, seen: Observations, rng: np.random.Generator
) -> tuple[LearningSettings, Any, str]:
    """Curvature and hyper-parameters from every fourth row, for an exact fit to all; and a note.

    An evaluation there costs a sixtieth. A hyper-parameter that a part of the rows drives to its
    bound stays where it was. The kernel itself where the rows are few, or where the guess is no
    better than the start.
    """
    unchanged = settings, kernel, ""
    if not settings.by_gradient or seen.n < _MANY_ROWS or not len(kernel.theta):
        return unchanged
    part = _part(seen, np.arange(0, seen.n, _EVERY))
    rough = replace(settings, restarts=0, tol=max(settings.tol, _ROUGH))
    try:
        theta = learn(rough, kernel, Exact(), part, rng).kernel.theta
        low, high = kernel.bounds.T
        inside = np.minimum(theta - low, high - theta) > _AWAY
        guess = kernel.with_theta(np.where(inside, theta, kernel.theta))
        there, here = (Exact().evaluate(k, seen, gradient=False).value for k in (guess, kernel))
        curvature = _curvature(guess, part)
    except FitError:
        return unchanged
    if not there > here:
        return unchanged
    note = f"search started from an exact fit to {part.n} rows"
    return replace(settings, curvature=curvature), guess, note


def _curvature(kernel: Any, seen: Observations) -> Floats:
    """Second derivatives of the negative marginal likelihood per row, by differences."""
    theta = kernel.theta

    def slope(there: Floats) -> Floats:
        return -Exact().evaluate(kernel.with_theta(there), seen).gradient / seen.n

    steps = _STEP * np.eye(len(theta))
    sides = [(slope(theta + step) - slope(theta - step)) / (2 * _STEP) for step in steps]
    return np.asarray(sides)


def _part(seen: Observations, rows: Indices) -> Observations:
    """Some of the observations."""
    basis = np.linalg.qr(seen.H[rows])[0] if seen.H.shape[1] else seen.H[rows]
    return Observations(objects.take(seen.X, rows), seen.Y[rows], seen.noise[rows], basis)
