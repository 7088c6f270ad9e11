"""Epochs until the objective no longer falls."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from margin.core import Certificate, Solution, Status
from margin.core.progress import Callback
from margin.optim._row_sum import RowSum
from margin.optim._stochastic import Progress, StochasticSolver

Floats = NDArray[np.float64]

_BRAKE = 0.1
_LEAST_DAMPING = 1e-12


@dataclass
class _Watch:
    """Lowest value seen, where, and how much lower each epoch was than all before."""

    tol: float
    patience: int
    values: list[float] = field(default_factory=list)
    falls: list[float] = field(default_factory=list)
    lowest: float = np.inf
    point: Floats | None = None
    quiet: int = 0

    def see(self, value: float, point: Floats) -> None:
        fall = self.lowest - value if np.isfinite(self.lowest) else np.inf
        if self.values:
            self.falls.append(fall)
        self.values.append(value)
        # A start that cannot be improved at all has a fall of zero, not of nothing.
        self.quiet = self.quiet + 1 if len(self.values) > 1 and fall <= self.tol else 0
        if value < self.lowest or self.point is None:
            self.lowest, self.point = value, point

    @property
    def largest_fall(self) -> float:
        """Largest improvement of one of the last epochs."""
        recent = self.falls[-self.patience :]
        return max(0.0, *recent) if len(recent) >= self.patience else np.inf


def descend_to_plateau(
    rows: RowSum,
    solver: StochasticSolver,
    x0: Floats,
    *,
    tol: float,
    patience: int = 5,
    progress: Progress | None = None,
    monitor: Callable[[Floats], float] | None = None,
    callback: Callback | None = None,
) -> Solution:
    """Run a stochastic solver until no epoch lowers the objective by more than ``tol``.

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
    tol : float
        Least decrease of an epoch that counts as progress.
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
        With the certificate "decrease per epoch", the gradient norm at the answer as
        ``extras["gradient_norm"]``, and the state of the solver as ``extras["progress"]``.

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
    watch, objective = _Watch(tol, patience), [rows.value(state.point)]
    watch.see(_watched(monitor, rows, objective[0], state), state.point)
    limit = _bound(objective[0])
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
            watch.values.append(watch.values[-1])
            if state.damping < _LEAST_DAMPING:
                status, message = Status.STALLED, "no rate is low enough: scale the features"
                break
            continue
        objective.append(value)
        watch.see(_watched(monitor, rows, value, state), state.point)
        if watch.quiet >= patience:
            lowered = state.damping * solver.stall_factor()
            if solver.stall_factor() >= 1 or lowered < 1e-6:
                status = Status.CONVERGED
                break
            watch.quiet, state = 0, replace(state, damping=lowered)
    return _solution(rows, solver, state, watch, objective, status, message, epochs, repairs)


def _watched(
    monitor: Callable[[Floats], float] | None, rows: RowSum, value: float, state: Progress
) -> float:
    return value if monitor is None else float(monitor(rows.trim(state.point)))


def _bound(start: float) -> float:
    """An objective above this has left all bounds."""
    return 1e6 * max(abs(start), 1e-300) if np.isfinite(start) else np.inf


def _undone(before: Progress, epoch: int) -> tuple[Progress, str]:
    lowered = before.damping * _BRAKE
    back = replace(
        before, damping=lowered, epochs=before.epochs + 1, arrays=tuple(0 * a for a in before.arrays)
    )
    return back, f"epoch {epoch} diverged: undone, rates multiplied by {lowered:.0e} from then on"


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
    assert watch.point is not None
    best = watch.point
    value = rows.value(best)
    trace = {"objective": np.array([*objective[:-1], value])}
    trace["epoch_objective"] = np.array(objective)
    if status is Status.MAX_ITER and not message:
        message = (
            f"stopped after max_iter={solver.max_iter} epochs while the objective still fell by "
            f"more than tol; raise max_iter, scale the features, or raise tol"
        )
    return Solution(
        x=rows.trim(best),
        status=status,
        n_iter=epochs,
        objective=value,
        trace=trace,
        certificate=Certificate("decrease per epoch", watch.largest_fall, watch.tol),
        solver=type(solver).__name__,
        message=message,
        repairs=tuple(repairs),
        extras={
            "progress": state,
            "gradient_norm": float(np.abs(rows.gradient(best)).max(initial=0.0)),
        },
    )
