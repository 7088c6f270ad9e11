"""Stochastic approximation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core import Certificate, Solution, Status, check
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

        Returns
        -------
        Solution
            The last point, all points as ``trace["x"]``; ``n_iter`` samples were seen. There is no
            objective: it is recorded as the size of ``f`` at each step.
        """
        theta = np.atleast_1d(np.array(theta0, dtype=np.float64))
        scalar = np.ndim(theta0) == 0
        points, sizes = [theta.copy()], []
        schedule = Harmonic() if self.schedule is None else self.schedule
        for k, z in enumerate(samples):
            shown = theta[0] if scalar else theta
            value = np.broadcast_to(np.asarray(f(z, shown), dtype=np.float64), theta.shape)
            sizes.append(float(np.abs(value).max(initial=0.0)))
            theta = theta - float(schedule.rate(k)) * value
            points.append(theta.copy())
            if not np.isfinite(theta).all():
                break
        return self._solution(theta, np.array(points), np.array(sizes))

    def _solution(self, theta: Floats, points: Floats, sizes: Floats) -> Solution:
        n = len(sizes)
        unsettled = np.inf
        if n >= 4 and np.isfinite(points).all():
            half, quarter = points[-(n // 2) :], points[-(n // 4) :]
            unsettled = float(np.abs(half.mean(axis=0) - quarter.mean(axis=0)).max(initial=0.0))
        status, message = Status.CONVERGED, ""
        if not np.isfinite(theta).all():
            status, message = Status.FAILED, f"the point became infinite at sample {n}"
        elif unsettled > self.tol:
            status = Status.MAX_ITER
            message = (
                f"the point still moves by {unsettled:.3g} after {n} samples, above "
                f"tol={self.tol:g}; give more samples or a schedule that decays as 1/k"
            )
        return Solution(
            x=theta,
            status=status,
            n_iter=n,
            objective=float(sizes[-1]) if n else np.nan,
            trace={"objective": sizes, "x": points},
            certificate=Certificate("movement of the mean point", unsettled, self.tol),
            solver=type(self).__name__,
            message=message,
        )
