"""Strengths of penalties by the steps of Fellner and Schall: no second derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats
from margin.linear.curves._restricted_likelihood import RestrictedLikelihood

_STOP = Stop("gradient norm", 3e-4, 100)
# Of the logarithm of a strength, and how far two steps in a row may change a third.
_LONGEST_STEP, _LONGEST_STRETCH = 5.0, 2.0
_RANGE = (-25.0, 40.0)
_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Strengths:
    """Relative logarithms of the strengths, and what follows from them.

    Parameters
    ----------
    theta : ndarray of shape (n_groups,)
    coef : ndarray of shape (q,)
        Coefficients of the columns.
    """

    theta: Floats
    coef: Floats


def fellner_schall(likelihood: RestrictedLikelihood, start: Floats | None = None) -> Solution:
    r"""Strengths of large restricted likelihood; ``x`` of the answer are :class:`Strengths`.

    Where the gradient vanishes, penalty and degrees of freedom of every group balance. A step
    divides one by the other,

    .. math:: \alpha_g \leftarrow \frac{m_g - \alpha_g \operatorname{tr} C_{gg}}{N - 1}
              \, \frac{Q}{\|\beta_g\|^2},

    with :math:`m_g` columns and :math:`C = (Z^\top Z + A)^{-1}`: every strength moves downhill, not
    far onto a plateau as by Newton's step, and at less cost. A secant through the last two steps
    stretches the next one, to half or twice its length at most.

    References
    ----------
    Wood and Fasiolo, "A generalized Fellner-Schall method for smoothing parameter optimization",
    Biometrics 73 (2017).
    """
    theta = np.zeros(len(likelihood.size)) if start is None else start
    return iterate(_states(likelihood, theta), _STOP, solver="Fellner-Schall")


def _states(likelihood: RestrictedLikelihood, theta: Floats) -> Iterator[Iterate]:
    at, step = _look(likelihood, theta, 0)
    stretch = np.ones(len(step))
    while True:
        yield at
        before, last = at, step
        moved = np.clip(last * stretch, -_LONGEST_STEP, _LONGEST_STEP)
        at, step = _look(likelihood, np.clip(before.x.theta + moved, *_RANGE), before.n_iter + 1)
        stretch = _stretch(at.x.theta - before.x.theta, last - step)


def _look(likelihood: RestrictedLikelihood, theta: Floats, n_iter: int) -> tuple[Iterate, Floats]:
    """The state at given strengths, and the step from there."""
    alpha = likelihood.alpha(theta)
    sums = likelihood.sums(alpha)
    value, slope = likelihood.judge(theta, alpha, sums)
    used = np.maximum(likelihood.size - sums.spread, _TINY)
    paid = np.maximum(likelihood.freedom / sums.squares * sums.energy, _TINY)
    step = np.clip(np.log(used / paid), -_LONGEST_STEP, _LONGEST_STEP)
    # At an end of the range nothing is left to do in its direction.
    done = ((theta <= _RANGE[0]) & (slope > 0)) | ((theta >= _RANGE[1]) & (slope < 0))
    norm = float(np.abs(np.where(done, 0.0, slope)).max(initial=0.0))
    return Iterate(Strengths(theta, sums.coef), value, norm, n_iter), step


def _stretch(moved: Floats, shrunk: Floats) -> Floats:
    """How much of a step a secant would make, where a move made steps so much smaller."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = moved / shrunk
    ratio = np.where(ratio <= 0.0, _LONGEST_STRETCH, np.where(moved == 0.0, 1.0, ratio))
    return np.clip(ratio, 1.0 / _LONGEST_STRETCH, _LONGEST_STRETCH)
