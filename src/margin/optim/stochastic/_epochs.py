"""Epochs until the objective no longer falls."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._stochastic import Progress, StochasticSolver

_BRAKE = 0.1
_LEAST_DAMPING = 1e-30
_LARGEST = 1e300
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
    exhausted: bool = False

    def see(self, value: float, point: Floats, objective: float) -> None:
        fall = self.lowest - value
        self.falls.append(max(fall, 0.0) / self.scale if fall > 0 else 0.0)
        self.quiet = self.quiet + 1 if self.falls[-1] <= self.tol else 0
        if value < self.lowest:
            self.lowest, self.point, self.objective = value, point, objective

    def seen(
        self, state: Progress, value: float, epoch: int, repairs: tuple[str, ...], last: bool
    ) -> Iterate:
        """The lowest point or the ``last``, certified by the largest fall of the last epochs."""
        recent = self.falls[-self.patience :]
        return Iterate(
            None,
            value if last else self.objective,
            max(recent) if len(recent) >= self.patience else None,
            epoch,
            (value,),
            "no rate is low enough" if self.exhausted else "",
            "",
            self.quiet < self.patience,
            repairs,
            {"progress": state, "point": state.point if last else self.point},
        )


def run_epochs(
    rows: RowSum,
    solver: StochasticSolver,
    x0: Floats,
    *,
    tol: float | None,
    patience: int = 5,
    progress: Progress | None = None,
    monitor: Callable[[Floats], float] | None = None,
    end: Literal["lowest", "last"] = "lowest",
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
    end : {"lowest", "last"}
        The answer of a search that makes all its epochs: the lowest point seen, or the one where
        as many searches of one epoch, each continuing the one before, would end.
    callback : callable, optional
        Called as ``callback(epoch, objective)``.

    Returns
    -------
    Solution
        The point, whose value is the last entry of ``trace["objective"]``. The certificate is the
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
    >>> run_epochs(rows, SGD(), np.zeros(2), tol=1e-6).x.round(1)
    array([1.5, 0.8])
    """
    stop = Stop(
        "relative decrease per epoch",
        tol,
        solver.max_iter,
        unit="epoch",
        keep="last",
        columns=("objective",),
    )

    def finish(at: Iterate) -> Iterate:
        slope = _gradient_norm(rows, at.extras["point"])
        # Another search may have other rates.
        extras = {"progress": replace(at.extras["progress"], rates=None), "gradient_norm": slope}
        x = rows.trim(at.extras["point"])
        return at._replace(x=x, trace=(at.objective,), extras=extras)

    final = solver.max_iter if end == "last" else None
    states = _states(rows, solver, x0, tol, patience, progress, monitor, final)
    name = type(solver).__name__
    return iterate(states, stop, solver=name, callback=callback, finish=finish)


def _states(
    rows: RowSum,
    solver: StochasticSolver,
    x0: Floats,
    tol: float | None,
    patience: int,
    progress: Progress | None,
    monitor: Callable[[Floats], float] | None,
    final: int | None,
) -> Iterator[Iterate]:
    """The lowest point so far after every epoch, the last one after the ``final`` one."""
    state = solver.begin(rows, x0) if progress is None else replace(progress, rates=None)
    value = rows.value(state.point)
    scale = 1.0 if monitor is not None else max(abs(value), 1e-300)
    first = _watched(monitor, rows, value, state)
    watch = _Watch(tol or 0.0, patience, first, state.point, value, scale)
    # Rounding alone may raise the objective of a perfect start, hence the second bound; of losses
    # that cost nothing at zero neither is one.
    limit = 1e6 * max(value, rows.value(np.zeros_like(state.w))) or _LARGEST
    repairs: tuple[str, ...] = ()
    stall = solver.stall_factor()
    for epoch in count(1):
        yield watch.seen(state, value, epoch - 1, repairs, epoch - 1 == final)
        before = state
        state = solver.epoch(rows, state)
        ahead = rows.value(state.point)
        if not ahead <= limit:
            state, text = _undone(before, epoch)
            repairs = (*repairs, text)
            watch.exhausted = state.damping < _LEAST_DAMPING
            continue
        value = ahead
        seen = value if monitor is None else _watched(monitor, rows, value, state)
        watch.see(seen, state.point, value)
        if watch.quiet >= patience and stall < 1 and state.damping * stall >= _LEAST_RATE:
            watch.quiet, state = 0, replace(state, damping=state.damping * stall)


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


def _gradient_norm(rows: RowSum, w: Floats) -> float | None:
    """Largest entry of the gradient; beside a kink it says nothing about the distance to it."""
    if not rows.loss.differentiable:
        return None
    return float(np.abs(rows.gradient(w)).max(initial=0.0))
