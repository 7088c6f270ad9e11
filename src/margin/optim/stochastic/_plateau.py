"""Epochs until the objective no longer falls."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from margin.core import Certificate, Solution, Status
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._stochastic import Progress, StochasticSolver

_BRAKE = 0.1
_LEAST_DAMPING = 1e-30
_LEAST_RATE = 1e-6  # of the first one: a plateau below it is the last


@dataclass
class _Watch:
    """Lowest value seen, where, and how much lower each epoch was than all before."""

    tol: float
    patience: int
    lowest: float
    point: Floats
    objective: float
    scale: float
    falls: list[float] = field(default_factory=list)
    quiet: int = 0

    def see(self, value: float, point: Floats, objective: float) -> None:
        fall = self.lowest - value
        self.falls.append(max(fall, 0.0) / self.scale if fall > 0 else 0.0)
        self.quiet = self.quiet + 1 if self.falls[-1] <= self.tol else 0
        if value < self.lowest:
            self.lowest, self.point, self.objective = value, point, objective

    @property
    def largest_fall(self) -> float:
        """Largest improvement of one of the last epochs, infinite before there are enough."""
        recent = self.falls[-self.patience :]
        return max(recent) if len(recent) >= self.patience else np.inf


def descend_to_plateau(
    rows: RowSum,
    solver: StochasticSolver,
    x0: Floats,
    *,
    tol: float | None,
    patience: int = 5,
    progress: Progress | None = None,
    monitor: Callable[[Floats], float] | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Run a stochastic solver until no epoch lowers the objective by more than a share ``tol``.

    The whole objective is evaluated after every epoch, in one pass over the rows; the answer is
    the lowest point seen. An epoch that ends beyond all bounds is undone, and the rates divided by
    ten: recorded as a repair. Under a schedule that waits for stalls, a plateau first lowers the
    rate, and only a rate too low to matter ends the search.

    Parameters
    ----------
    rows : RowSum
    solver : StochasticSolver
        Its ``max_iter`` counts epochs; its own ``tol`` is not used.
    x0 : ndarray
        Start.
    tol : float or None
        Least decrease of an epoch, relative to the objective at the start, that counts as
        progress; ``None`` to make ``max_iter`` epochs whatever happens.
    patience : int
        Epochs without progress that end the search.
    progress : Progress, optional
        Where an earlier search ended, to be continued.
    monitor : callable, optional
        Lower is better: watched in place of the objective, of the unknowns ``x``.
    callback : callable, optional
        Called as ``callback(epoch, objective)``.

    Returns
    -------
    Solution
        The lowest point seen, the last entry of ``trace["objective"]``. The certificate is the
        largest relative decrease of the last ``patience`` epochs; ``extras["gradient_norm"]`` is
        the gradient norm at the answer (``None`` for losses with kinks), ``extras["progress"]``
        the state from which the search can be continued.

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, penalties
    >>> from margin.optim import SGD, RowSum
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> rows = RowSum.build(X, y, None, losses.Squared(), penalties.Zero())
    >>> descend_to_plateau(rows, SGD(), np.zeros(2), tol=1e-6).x.round(1)
    array([1.5, 0.8])
    """
    state = solver.begin(rows, x0) if progress is None else progress
    objective = [rows.value(state.point)]
    first = _watched(monitor, rows, objective[0], state)
    scale = 1.0 if monitor is not None else max(abs(objective[0]), 1e-300)
    patient = np.inf if tol is None else patience
    watch = _Watch(tol or 0.0, patience, first, state.point, objective[0], scale)
    # Rounding alone may raise the objective of a perfect start, hence the second bound.
    limit = 1e6 * max(objective[0], rows.value(np.zeros_like(state.w)))
    repairs: list[str] = []
    status, message, epochs = Status.MAX_ITER, "", 0
    while epochs < solver.max_iter:
        before = state
        try:
            with np.errstate(over="ignore", invalid="ignore"):
                state = solver.epoch(rows, state)
            value = rows.value(state.point)
            epochs += 1
            if callback is not None:
                callback(epochs, value)
        except KeyboardInterrupt:
            message = f"interrupted after {epochs} epochs"
            break
        if not value <= limit:
            state, text = _undone(before, epochs)
            repairs.append(text)
            objective.append(objective[-1])
            if state.damping < _LEAST_DAMPING:
                status, message = Status.STALLED, "no rate is low enough: scale the features"
                break
            continue
        objective.append(value)
        watch.see(_watched(monitor, rows, value, state), state.point, value)
        if watch.quiet >= patient:
            lowered = state.damping * solver.stall_factor()
            if solver.stall_factor() >= 1 or lowered < _LEAST_RATE:
                status = Status.CONVERGED
                break
            watch.quiet, state = 0, replace(state, damping=lowered)
    if tol is None and not message:
        status = Status.CONVERGED
    objective[-1] = watch.objective
    return _solution(rows, solver, state, watch, objective, status, message, epochs, repairs)


def _watched(
    monitor: Callable[[Floats], float] | None, rows: RowSum, value: float, state: Progress
) -> float:
    return value if monitor is None else float(monitor(rows.trim(state.point)))


def _undone(before: Progress, epoch: int) -> tuple[Progress, str]:
    lowered = before.damping * _BRAKE
    back = replace(
        before,
        damping=lowered,
        epochs=before.epochs + 1,
        arrays=tuple(0 * a for a in before.arrays),
    )
    return back, f"epoch {epoch} diverged: undone, rates multiplied by {lowered:.0e} since"


def _solution(
    rows: RowSum,
    solver: StochasticSolver,
    state: Progress,
    watch: _Watch,
    objective: list[float],
    status: Status,
    message: str,
    epochs: int,
    repairs: list[str],
) -> Solution:
    if status is Status.MAX_ITER and not message:
        message = (
            f"stopped after max_iter={solver.max_iter} epochs while the objective still fell by "
            f"more than tol; raise max_iter, scale the features, or raise tol"
        )
    certificate = Certificate("relative decrease per epoch", watch.largest_fall, watch.tol)
    return Solution(
        x=rows.trim(watch.point),
        status=status,
        n_iter=epochs,
        objective=watch.objective,
        trace={"objective": np.array(objective)},
        certificate=None if status.ok and watch.tol == 0 else certificate,
        solver=type(solver).__name__,
        message=message,
        repairs=tuple(repairs),
        extras={"progress": state, "gradient_norm": _gradient_norm(rows, watch.point)},
    )


def _gradient_norm(rows: RowSum, w: Floats) -> float | None:
    """Largest entry of the gradient; beside a kink it says nothing about the distance to it."""
    if not rows.loss.differentiable:
        return None
    return float(np.abs(rows.gradient(w)).max(initial=0.0))
