"""Stochastic gradient descent."""

from dataclasses import dataclass

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.native.rows.stochastic import sgd_epoch
from margin.optim.stochastic._averaged import Averaging
from margin.optim.stochastic._row_sum import RowSum
from margin.optim.stochastic._schedules import Schedule
from margin.optim.stochastic._stochastic import Progress, StochasticSolver, check_seed

_AHEAD = 2048  # steps whose lengths are computed at a time


@dataclass(frozen=True)
class SGD(StochasticSolver):
    r"""Steps along the gradient of a few random rows (optim.03, optim.04).

    .. math:: w \leftarrow \max(0, 1 - \tau_t \lambda_2)\, w -
        \frac{\tau_t}{|B|} \sum_{i \in B} c_i \nabla \ell_i(w),

    for the objective :math:`\frac1m \sum_i c_i \ell_i + \lambda_1 \|w\|_1 +
    \tfrac{\lambda_2}2 \|w\|^2`: the gradient of a batch is the mean over its rows, so that it is
    unbiased, and a batch of all rows makes exactly the step of gradient descent. Losses with kinks
    (hinge, perceptron, insensitive) are followed along a subgradient (optim.18). After each step
    :math:`\tau_t \lambda_1` more is due, and every weight moves towards zero by what it has not yet
    paid of the sum, at most to zero (cumulative penalty): weights that only noise moves stay zero.

    Parameters
    ----------
    tol : float
        Largest entry of the whole gradient that counts as zero, measured after every epoch.
    max_iter : int
        Most epochs.
    schedule : Schedule, optional
        Step lengths; by default the inverse of the largest curvature of a row, decaying as
        :math:`1/t` after ten epochs unless a step takes all rows.
    batch : int or None
        Rows per step; ``None`` for all of them.
    average : Averaging, optional
        Average of the iterates that is the answer, in place of the last one (optim.07).
    shuffle : bool
        Whether every epoch has an order of its own.
    seed : int
        Of the orders.

    References
    ----------
    Tsuruoka, Tsujii, Ananiadou, Stochastic gradient descent training for L1-regularized log-linear
    models with cumulative penalty, 2009.

    Notes
    -----
    :math:`O(p)` per row, for sparse rows as many operations as stored entries (an average under
    an absolute penalty needs all :math:`p`).

    Examples
    --------
    >>> import numpy as np
    >>> from margin import losses, optim, penalties
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> problem = optim.LinearProblem(X, y, np.full(3, 1 / 3), losses.Squared(), penalties.Zero())
    >>> optim.minimise(problem, SGD(tol=1e-3, max_iter=5000)).x.round(2)
    array([1.5 , 0.83])
    """

    tol: float = 1e-3
    max_iter: int = 1000
    schedule: Schedule | None = None
    batch: int | None = 1
    average: Averaging | None = None
    shuffle: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check.params(self, positive="tol", count="max_iter", flag="shuffle")
        if self.batch is not None:
            check.params(self, count="batch")
        if self.schedule is not None and self.schedule.passive and self.batch != 1:
            raise check.fail(self, "batch", "1 for passive-aggressive steps", self.batch)
        check_seed(self)

    def stall_factor(self) -> float:
        return 1.0 if self.schedule is None else self.schedule.stall_factor

    def begin(self, rows: RowSum, x: Floats) -> Progress:
        w = rows.pad(x)
        account = (np.zeros_like(w),) if rows.l1 else ()
        return Progress(w, None if self.average is None else w.copy(), arrays=account)

    def epoch(self, rows: RowSum, progress: Progress) -> Progress:
        order = rows.order(self.seed, progress.epochs, self.shuffle)
        batch = max(len(order), 1) if self.batch is None else self.batch
        steps = -(-len(order) // batch)
        ahead = progress.rates
        if ahead is None or len(ahead) < steps:
            # Of a few rows, the lengths of many epochs are computed as quickly as those of one.
            some = steps * max(1, _AHEAD // max(steps, 1))
            t = np.arange(progress.taken, progress.taken + some, dtype=np.float64)
            ahead = step_lengths(self.schedule, rows, t, steps)
        rate = ahead[:steps]
        if progress.damping != 1.0:
            rate = progress.damping * rate
        w, mean, mix = progress.w.copy(), None, None
        if progress.mean is not None and self.average is not None:
            mean, mix = progress.mean.copy(), self.average.mix(progress.taken, steps)
        account = tuple([a.copy() for a in progress.arrays]) if progress.arrays else ()
        sgd_epoch(
            rows.rows, order, batch, rate, rows.l1, rows.l2, rows.intercept, w, mean, mix,
            paid=account[0] if account else None,
            passive=0 if self.schedule is None else self.schedule.passive,
        )  # fmt: skip
        # By position: of a few rows, replacing fields costs as much as the epoch.
        taken, epochs = progress.taken + steps, progress.epochs + 1
        best, idle = progress.best, progress.idle
        left = ahead[steps:]
        return Progress(w, mean, taken, epochs, progress.damping, account, best, idle, left)


def step_lengths(schedule: Schedule | None, rows: RowSum, t: Floats, per_epoch: int) -> Floats:
    """Rates of the steps ``t``, or safe ones where no schedule is given."""
    if schedule is not None:
        return np.ascontiguousarray(schedule.rate(t), dtype=np.float64)
    # Steps on all rows have no noise that would have to be let down.
    decay = 10.0 * per_epoch if per_epoch > 1 else np.inf
    return np.asarray(1.0 / (max(rows.smoothness, 1e-300) * (1.0 + t / decay)))
