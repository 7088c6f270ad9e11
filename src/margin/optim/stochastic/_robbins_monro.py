"""Stochastic approximation."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Iterate, Solution, Status, Stop, check, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim.stochastic._schedules import Harmonic, Schedule


@dataclass(frozen=True)
class RobbinsMonro:
    r"""Root of an expectation that is only seen through samples (optim.15).

    Finds :math:`\theta` with :math:`E_Z[f(Z; \theta)] = 0` by

    .. math:: \theta_k = \theta_{k-1} - \eta_k f(z_k; \theta_{k-1}).

    It converges with probability one if the expectation is negative below the root and positive
    above it, :math:`\sum \eta_k = \infty` and :math:`\sum \eta_k^2 < \infty`
    (:func:`check_schedule`). Stochastic gradient descent is the case where ``f`` is the gradient
    of the loss of one row.

    Parameters
    ----------
    schedule : Schedule, optional
        Step lengths :math:`\eta_k`; :math:`1/k` by default.
    tol : float
        The search has settled when the mean of the last half of the points and the mean of the
        last quarter differ by no more.

    Examples
    --------
    The mean is the root of ``theta - z``, and the points are the running means:

    >>> RobbinsMonro().run(lambda z, theta: theta - z, [4.0, 0.0, 5.0], 0.0).trace["x"][:, 0]
    array([0., 4., 2., 3.])
    """

    schedule: Schedule | None = None
    tol: float = 1e-2

    def __post_init__(self) -> None:
        check.params(self, positive="tol")

    def run(
        self,
        f: Callable[[Any, Floats], ArrayLike],
        samples: Iterable[Any],
        theta0: ArrayLike,
        callback: Callback | None = None,
    ) -> Solution:
        """Follow the samples, one step each.

        Parameters
        ----------
        f : callable
            ``f(z, theta)``, an array of the shape of ``theta``.
        samples : iterable
            The ``z``, in the order in which they are seen.
        theta0 : float or array-like
            Start.
        callback : callable, optional
            Called as ``callback(sample, size of f)``.

        Returns
        -------
        Solution
            The last point, all points as ``trace["x"]``; ``n_iter`` samples were seen. There is no
            objective: it is recorded as the size of ``f`` at each point, that of the last sample
            at the last one.
        """
        stop = Stop(
            "movement of the mean point",
            self.tol,
            sys.maxsize,
            unit="sample",
            keep="last",
            columns=("x",),
        )
        points: list[Floats] = []
        solution = iterate(
            self._states(f, samples, theta0, points),
            stop,
            solver=type(self).__name__,
            callback=callback,
            finish=lambda at: at._replace(certificate=_movement(points[: at.n_iter + 1])),
        )
        if solution.status is not Status.STALLED:
            return solution
        # The samples are used up: that is no standstill.
        seen, proof = stop.count(solution.n_iter), solution.certificate
        message = f"{seen} do not show whether the point still moves; give more samples"
        if proof is not None:
            message = (
                f"the point still moves by {proof.value:.3g} after {seen}, above "
                f"tol={self.tol:g}; give more samples or a schedule that decays as 1/k"
            )
        return replace(solution, status=Status.MAX_ITER, message=message)

    def _states(
        self,
        f: Callable[[Any, Floats], ArrayLike],
        samples: Iterable[Any],
        theta0: ArrayLike,
        points: list[Floats],
    ) -> Iterator[Iterate]:
        """Every point with the size of ``f`` seen there; the last point with the last size."""
        theta = np.atleast_1d(np.array(theta0, dtype=np.float64))
        scalar = np.ndim(theta0) == 0
        schedule = Harmonic() if self.schedule is None else self.schedule
        size, k = 0.0, 0
        for k, z in enumerate(samples, start=1):
            shown = theta[0] if scalar else theta
            value = np.broadcast_to(np.asarray(f(z, shown), dtype=np.float64), theta.shape)
            size = float(np.abs(value).max(initial=0.0))
            points.append(theta)
            yield Iterate(theta, size, None, k - 1, (theta,))
            theta = theta - float(schedule.rate(k - 1)) * value
            if not np.isfinite(theta).all():
                yield Iterate(
                    theta,
                    size,
                    None,
                    k,
                    (theta,),
                    failed=f"the point became infinite at sample {k}",
                )
        points.append(theta)
        yield Iterate(theta, size, None, k, (theta,))


def _movement(points: list[Floats]) -> float | None:
    """Distance between the mean of the last half and that of the last quarter of the points."""
    n = len(points) - 1
    if n < 4:
        return None
    half, quarter = np.array(points[-(n // 2) :]), np.array(points[-(n // 4) :])
    return float(np.abs(half.mean(axis=0) - quarter.mean(axis=0)).max(initial=0.0))
