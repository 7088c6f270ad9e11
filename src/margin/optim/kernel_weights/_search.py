"""The search for the weights of kernels."""

from collections.abc import Iterator

import numpy as np

from margin.core import Certificate, Iterate, Solution, Status, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim.kernel_weights._steps import closed_step, largest_sum, newton_step
from margin.optim.kernel_weights._trainer import Trainer, WeightedMachines

KIND = "relative duality gap"


def learn_weights(
    trainer: Trainer,
    norm: float,
    *,
    tol: float,
    max_iter: int,
    rng: np.random.Generator,
    callback: Callback | None = None,
) -> Solution:
    r"""Improve equal weights of kernels until the duality gap is small (svm.19).

    Minimises, over weights :math:`d \ge 0` of a given :math:`p`-norm, the sum of the optimal values
    of all machines whose kernel is :math:`\sum_m d_m K_m`. Every point gives a lower bound of the
    minimum: its dual value with the largest quadratic part that weights can make.

    Parameters
    ----------
    trainer : Trainer
        The machines.
    norm : float
        :math:`p \ge 1`: 1 makes few weights differ from zero.
    tol : float
        Duality gap, divided by the primal value, that counts as converged.
    max_iter : int
        Most weights to try, the equal ones included.
    rng : Generator
        Chooses a part of very many support vectors for the curvature.
    callback : callable, optional

    Returns
    -------
    Solution
        ``x`` are the weights; ``extras`` hold the ``machines`` (:class:`WeightedMachines`) and the
        ``gap``.
    """
    stop = Stop(
        KIND,
        tol,
        max_iter,
        unit="change of the weights",
        plural="changes of the weights",
        keep="last",
        columns=("gap",),
        advice=("raise tol",),
    )
    how = "reduced Newton" if norm == 1 else "closed-form"
    states = _states(trainer, norm, rng)
    return iterate(states, stop, solver=f"{how} steps over SMO", callback=callback)


def _states(trainer: Trainer, norm: float, rng: np.random.Generator) -> Iterator[Iterate]:
    m = len(trainer.stack.factors)
    point, floor, tried = trainer.at(np.full(m, 1.0 / m)), -np.inf, 1
    while True:
        floor = max(floor, point.linear - 0.5 * largest_sum(point.norms, norm))
        yield _seen(point, point.primal - floor, tried)
        step = newton_step(point, trainer, rng) if norm == 1 else closed_step(point, trainer, norm)
        if step is None and trainer.sharpen():
            step = trainer.at(point.weights)
        if step is None:
            yield _seen(point, point.primal - floor, tried, "no better weights are found")
            return
        point, tried = step, tried + 1


def _seen(point: WeightedMachines, gap: float, tried: int, stuck: str = "") -> Iterate:
    return Iterate(
        point.weights,
        point.primal,
        max(gap, 0.0) / max(abs(point.primal), 1e-300),
        tried,
        (gap,),
        stuck=stuck,
        extras={"machines": point, "gap": gap},
    )


def fixed_weights(trainer: Trainer, weights: Floats, tol: float, how: str) -> Solution:
    """Machines for weights that stay as they are; the answer is laid out as by a search."""
    point = trainer.at(weights)
    gap = point.primal - point.fixed_dual
    return Solution(
        x=weights,
        status=Status.CONVERGED,
        n_iter=1,
        objective=point.primal,
        trace={"objective": np.array([point.primal]), "gap": np.array([gap])},
        certificate=Certificate(KIND, max(gap, 0.0) / max(abs(point.primal), 1e-300), tol),
        solver=f"SMO with weights by {how}",
        extras={"machines": point, "gap": gap},
    )
