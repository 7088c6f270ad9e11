"""Which convergence theorems a schedule satisfies."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats
from margin.optim.stochastic._schedules import Schedule

_OCTAVES = np.arange(61)
_TAIL = slice(40, None)
_STEADY = 0.85  # share of a fall that must persist for it to be geometric


@dataclass(frozen=True)
class ScheduleVerdict:
    """What :func:`check_schedule` found.

    Parameters
    ----------
    nonnegative : bool
        No step is negative.
    sum_diverges, squares_converge : bool
        Whether the steps add up to infinity, their squares to a finite number.
    no_step_dominates : bool
        Whether the sum of the squares vanishes against the square of the sum.
    """

    nonnegative: bool
    sum_diverges: bool
    squares_converge: bool
    no_step_dominates: bool

    @property
    def perceptron(self) -> bool:
        """Whether the variable-increment perceptron converges on separable data."""
        return self.nonnegative and self.sum_diverges and self.no_step_dominates

    @property
    def robbins_monro(self) -> bool:
        """Whether stochastic approximation converges with probability one."""
        return self.nonnegative and self.sum_diverges and self.squares_converge


def check_schedule(schedule: Schedule | Callable[[Floats], ArrayLike]) -> ScheduleVerdict:
    r"""Hold a schedule against the perceptron's and Robbins and Monro's conditions (optim.14).

    The perceptron needs :math:`\eta_k \ge 0`, :math:`\sum \eta_k = \infty` and
    :math:`\sum \eta_k^2 / (\sum \eta_k)^2 \to 0`; Robbins and Monro need :math:`\eta_k \ge 0`,
    :math:`\sum \eta_k = \infty` and :math:`\sum \eta_k^2 < \infty`.

    Parameters
    ----------
    schedule : Schedule or callable
        A schedule, or a vectorised function of ``k = 1, 2, …``; eventually monotone.

    Notes
    -----
    Series are judged by Cauchy's condensation, :math:`\sum_j 2^j \eta(2^j)` up to
    :math:`j = 60`: convergent when the last terms fall geometrically. That tells powers of ``k``
    apart down to an exponent of 0.002 and exponentials always; logarithmic factors count as none.

    Examples
    --------
    >>> from margin.optim import Harmonic, RootHarmonic
    >>> check_schedule(Harmonic()).robbins_monro, check_schedule(RootHarmonic()).robbins_monro
    (True, False)
    >>> check_schedule(lambda k: 2.0**-k).perceptron, check_schedule(lambda k: 2.0**k).perceptron
    (False, False)
    """
    k = np.exp2(_OCTAVES.astype(np.float64))
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        rate = np.asarray(
            schedule.rate(k - 1.0) if isinstance(schedule, Schedule) else schedule(k),
            dtype=np.float64,
        )
        near = np.arange(1.0, 1025.0)
        early = np.asarray(
            schedule.rate(near - 1.0) if isinstance(schedule, Schedule) else schedule(near)
        )
    if rate.shape != k.shape or np.isnan(rate).any():
        raise check.fail("check_schedule", "schedule", "a vectorised function of k", rate.shape)
    with np.errstate(over="ignore"):
        return ScheduleVerdict(
            nonnegative=bool((rate >= 0).all() and (early >= 0).all()),
            sum_diverges=not _converges(k, rate),
            squares_converge=_converges(k, rate**2),
            no_step_dominates=_no_step_dominates(k, rate),
        )


def _converges(k: Floats, term: Floats) -> bool:
    """Whether the sum over all ``k`` of a monotone ``term`` is finite, by condensation."""
    if not np.isfinite(term).all():
        return False
    condensed = (k * term)[_TAIL]
    if (condensed == 0).any():
        return True
    fall = 1.0 - condensed[1:] / condensed[:-1]
    # Logarithms make terms fall ever more slowly, powers at a steady pace.
    return bool(fall[-1] > 1e-3 and fall[-1] > _STEADY * fall[0])


def _no_step_dominates(k: Floats, rate: Floats) -> bool:
    r"""Whether the largest step vanishes against the sum of all, which is the same condition.

    With :math:`m = \max \eta`, :math:`(m / \sum \eta)^2 \le \sum \eta^2 / (\sum \eta)^2
    \le m / \sum \eta`. For bounded steps that is a diverging sum.
    """
    if not np.isfinite(rate).all() or not rate.any():
        return False
    largest = np.maximum.accumulate(rate)
    if largest[-1] == largest[_TAIL.start]:
        return not _converges(k, rate)
    total = np.cumsum(np.diff(k, prepend=0.0) * np.minimum(rate, np.append(rate[0], rate[:-1])))
    share = largest / np.maximum(total, 1e-300)
    return bool(share[-1] < 0.9 * share[_TAIL.start])
