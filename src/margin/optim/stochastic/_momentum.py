"""Stochastic gradient descent with a memory of earlier gradients."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.native.rows import momentum as native
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._schedules import Schedule
from margin.optim.stochastic._sgd import step_lengths
from margin.optim.stochastic._stochastic import Progress, StochasticSolver, check_seed

_KINDS = {
    "averaged-gradient": native.AVERAGED,
    "heavy-ball": native.HEAVY_BALL,
    "nesterov": native.NESTEROV,
}


@dataclass(frozen=True)
class MomentumSolver(StochasticSolver):
    """What methods share that remember two vectors and need a smooth penalty."""

    schedule: Schedule | None
    batch: int | None
    shuffle: bool
    seed: int

    @abstractmethod
    def rates(self, rows: RowSum, t: Floats, per_epoch: int) -> Floats:
        """Lengths of the steps ``t``."""

    @abstractmethod
    def rule(self) -> tuple[int, float, float, float]:
        """Kind of step, memories of the two vectors, and what is added to a root."""

    def check_common(self) -> None:
        """Refuse bad parameters that all have."""
        check.params(self, positive="tol", count="max_iter", flag="shuffle")
        if self.batch is not None:
            check.params(self, count="batch")
        check_seed(self)

    def stall_factor(self) -> float:
        return 1.0 if self.schedule is None else self.schedule.stall_factor

    def begin(self, rows: RowSum, x: Floats) -> Progress:
        if rows.l1 > 0:
            raise ValueError(
                f"{type(self).__name__}: penalty must be smooth, got {type(rows.penalty).__name__}"
            )
        w = rows.pad(x)
        return Progress(w, arrays=(np.zeros_like(w), np.zeros_like(w)))

    def epoch(self, rows: RowSum, progress: Progress) -> Progress:
        order = rows.order(self.seed, progress.epochs, self.shuffle)
        batch = max(len(order), 1) if self.batch is None else self.batch
        steps = -(-len(order) // batch)
        t = np.arange(progress.taken, progress.taken + steps, dtype=np.float64)
        rate = np.ascontiguousarray(progress.damping * self.rates(rows, t, steps))
        w, first, second = progress.w.copy(), *(a.copy() for a in progress.arrays)
        kind, momentum, second_momentum, epsilon = self.rule()
        native.momentum_epoch(
            kind,
            momentum,
            rows.rows,
            order,
            batch,
            rate,
            rows.l2,
            rows.intercept,
            w,
            first,
            second,
            second_momentum=second_momentum,
            epsilon=epsilon,
            taken=progress.taken,
        )
        return replace(
            progress,
            w=w,
            taken=progress.taken + steps,
            epochs=progress.epochs + 1,
            arrays=(first, second),
        )


@dataclass(frozen=True)
class MomentumSGD(MomentumSolver):
    r"""Mini-batch steps along a running mean of gradients, or with a velocity.

    With :math:`f_t` the gradient of the batch, penalty included:

    - ``"averaged-gradient"`` (optim.05): :math:`g \leftarrow (1 - \mu) g + \mu f_t`,
      :math:`w \leftarrow w - \tau_t g`. A gradient of :math:`s` steps ago has the weight
      :math:`\mu (1 - \mu)^s`, which falls by a factor :math:`e` in
      :math:`-1/\log(1 - \mu) \approx 1/\mu` steps; with :math:`1/\mu \approx N` the method
      behaves as gradient descent.
    - ``"heavy-ball"`` (optim.06): :math:`w \leftarrow w - \tau_t f_t + \mu (w - w_{\text{old}})`.
    - ``"nesterov"``: the same with the gradient taken at :math:`w + \mu (w - w_{\text{old}})`.

    Parameters
    ----------
    tol : float
        Largest entry of the whole gradient that counts as zero, measured after every epoch.
    max_iter : int
        Most epochs.
    kind : {"averaged-gradient", "heavy-ball", "nesterov"}
    momentum : float
        :math:`\mu`, between 0 and 1: the share of the new gradient in the averaged gradient, the
        share of the old velocity otherwise.
    schedule : Schedule, optional
        Step lengths; by default :math:`(1 - \mu)/L` for velocities and :math:`1/L` for the
        averaged gradient, decaying as :math:`1/t` after ten epochs unless a step takes all rows.
    batch : int or None
        Rows per step; ``None`` for all of them.
    shuffle, seed
        As in :class:`SGD`.

    Notes
    -----
    :math:`O(p)` per step, also for sparse rows. The penalty must be smooth.

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, optim, penalties
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> problem = optim.LinearProblem(X, y, np.full(3, 1 / 3), losses.Squared(), penalties.Zero())
    >>> optim.minimise(problem, MomentumSGD(tol=1e-3, max_iter=5000)).x.round(1)
    array([1.5, 0.8])
    """

    tol: float = 1e-3
    max_iter: int = 1000
    kind: Literal["averaged-gradient", "heavy-ball", "nesterov"] = "averaged-gradient"
    momentum: float = 0.1
    schedule: Schedule | None = None
    batch: int | None = 1
    shuffle: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check.params(self, fraction="momentum", one_of={"kind": tuple(_KINDS)})
        self.check_common()

    def rates(self, rows: RowSum, t: Floats, per_epoch: int) -> Floats:
        rate = step_lengths(self.schedule, rows, t, per_epoch)
        velocity = self.schedule is None and self.kind != "averaged-gradient"
        return rate * (1.0 - self.momentum) if velocity else rate

    def rule(self) -> tuple[int, float, float, float]:
        return _KINDS[self.kind], self.momentum, 0.0, 0.0
