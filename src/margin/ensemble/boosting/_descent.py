"""Values of the leaves of a new tree: a line search where Newton's step is too long."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from margin.core.types import Floats, Indices
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._leaf_steps import in_directions, merged_values, newton_values
from margin.ensemble.boosting._objective import Objective, Singles
from margin.search import BinnedGrowth

_SHARE = 0.1  # of the fall that the slope promises, which a step must bring about
_HALVINGS = 60
_ROUNDING = 1e-12

LossAfter = Callable[[Floats], Floats]


def descending_steps(
    steps: Floats, rate: float, losses: LossAfter, slopes: Floats, starts: Indices
) -> Floats:
    r"""Steps of leaves, halved until each lowers the loss of its leaf (tree.15).

    A step :math:`b` is kept where the rows of the leaf lose at least a tenth of what their slope
    promises for :math:`\rho b`, with the rate :math:`\rho`.

    Parameters
    ----------
    steps : array of shape (n_leaves,)
        Steps before the rate.
    rate : float
        Factor on every step.
    losses : callable
        Weighted losses of the rows, leaf after leaf, after a shift of each row.
    slopes : array of shape (n_rows,)
        Weighted slopes of the rows in the same order.
    starts : array of shape (n_leaves + 1,)
        Where the rows of each leaf start.

    Examples
    --------
    >>> after = lambda shift: np.cosh(3.0 + shift)
    >>> descending_steps(np.array([-16.0]), 1.0, after, np.sinh([3.0]), np.array([0, 1]))
    array([-4.])
    """
    sizes = np.diff(starts)
    steps = steps.copy()

    def sums(rows: Floats) -> Floats:
        return np.asarray(np.add.reduceat(rows, starts[:-1]))

    now = losses(np.zeros(int(sizes.sum())))
    before, slack = sums(now), _ROUNDING * sums(np.abs(now))
    promise = sums(slopes)
    for _ in range(_HALVINGS):
        with np.errstate(over="ignore", invalid="ignore"):
            after = sums(losses(np.repeat(rate * steps, sizes)))
            falls = after <= before + _SHARE * np.minimum(rate * steps * promise, 0.0) + slack
        if falls.all():
            return steps
        steps[~falls] *= 0.5
    steps[~falls] = 0.0
    return steps


def set_leaf_values(
    growth: BinnedGrowth,
    objective: Objective,
    k: int,
    raw: Floats,
    weight: Floats | None,
    g: Singles,
    h: Singles | None,
    settings: BoostSettings,
) -> None:
    """Values of the leaves of the last tree, where they are not those of its growth.

    ``weight`` is that of the rows in this stage, ``g`` and ``h`` with it.
    """
    values = None
    if objective.refits:
        values = partial(objective.leaf_values, k, raw, weight)
    elif settings.least_squares:
        values = partial(newton_values, g, h, settings.rules.l2)
    steps, changed = growth.leaf_values(), True
    if settings.pruning > 0:
        steps = merged_values(growth, settings.pruning, values)
    elif values is not None:
        steps = values(*growth.leaf_rows())
    else:
        changed = False
    if settings.rate * np.abs(steps).max() > objective.calm:
        steps, changed = _searched(growth, objective, k, raw, weight, g, settings, steps), True
    if not changed:
        return
    if settings.rules.monotonic:
        steps = in_directions(growth.last_tree(), settings.rules.monotonic, steps)
    growth.set_leaf_values(steps)


def _searched(
    growth: BinnedGrowth,
    objective: Objective,
    k: int,
    raw: Floats,
    weight: Floats | None,
    g: Singles,
    settings: BoostSettings,
    steps: Floats,
) -> Floats:
    """Steps that lower the loss of every leaf; only leaves of long steps are looked at."""
    rows, starts = growth.leaf_rows()
    far = settings.rate * np.abs(steps) > objective.calm
    own = np.concatenate([rows[starts[i] : starts[i + 1]] for i in np.flatnonzero(far)])
    ends = np.append(0, np.cumsum(np.diff(starts)[far]))

    def losses(shift: Floats) -> Floats:
        each = objective.row_losses(k, raw, own, shift)
        return each if weight is None else weight[own] * each

    steps = steps.copy()
    steps[far] = descending_steps(steps[far], settings.rate, losses, g[own].astype(float), ends)
    return steps
