"""The engine of gradient boosting: trees added one stage after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._descent import set_leaf_values
from margin.ensemble.boosting._objective import Objective
from margin.ensemble.boosting._row_draws import Rows, as_drawn, drawn_rows, left_out
from margin.native.trees.bins import BinnedTable
from margin.search import BinnedGrowth, Bins

_ROUNDING = 1e-6
COLUMNS = ("watched", "in_bag", "out_of_bag", "improvement")


@dataclass(frozen=True)
class Watched:
    """Rows that are set aside, and what is measured on their scores (lower is better)."""

    table: BinnedTable
    raw: Floats
    measure: Callable[[Floats], float]


@dataclass(frozen=True)
class Stage:
    """What is known after a stage: its number, all trees so far, scores, and mean losses.

    ``out_of_bag`` is the loss of the rows that were not drawn, and ``improvement`` by how much it
    is below that of the stage before; both are 0 where all rows take part.
    """

    number: int
    growth: BinnedGrowth
    raw: Floats
    rows: Rows | None
    in_bag: float
    out_of_bag: float
    improvement: float


EndsHere = Callable[[Stage], bool]


def boost(
    bins: Bins,
    table: BinnedTable,
    objective: Objective,
    raw: Floats,
    weight: Floats | None,
    settings: BoostSettings,
    *,
    watched: Watched | None,
    n_threads: int,
    callback: Callback | None = None,
    after: EndsHere | None = None,
) -> Solution:
    r"""Minimise a loss over sums of trees (tree.14, tree.15).

    Stage :math:`m` grows a tree :math:`h` on the slopes :math:`g_i = \partial \ell / \partial f_i`
    and curvatures at the scores so far, gives its leaves the values that minimise
    :math:`\sum_i \ell(f_i + h(x_i), y_i)` or its quadratic model, and adds it times the rate.

    ``raw``, of shape (n_outputs, n_rows), holds the scores to start from and ends with those of the
    last stage. Without ``watched``, the patience is with the training loss; ``after`` is called
    after every stage and says whether it is the last. The answer is the
    :class:`~margin.search.BinnedGrowth` with all trees; the trace holds the mean training loss,
    what was measured on the watched rows and the losses of a :class:`Stage`, before the first and
    after every stage.
    """
    growth = BinnedGrowth(bins, table, settings.rules, n_threads)
    stop = Stop(
        "stages to go",
        0.0,
        settings.n_stages,
        unit="stage",
        keep="last",
        columns=COLUMNS,
        monotone=_ROUNDING if _falls(objective, raw, settings) else None,
        advice=("lower learning_rate",),
    )
    states = _stages(growth, objective, raw, weight, settings, watched, after)
    return iterate(states, stop, solver="gradient boosting", callback=callback)


def _falls(objective: Objective, raw: Floats, settings: BoostSettings) -> bool:
    """Whether the loss of the rows must fall: all take part, and neither loss nor leaves are bound.

    The trees of several classes are not searched together, so that their loss may rise a little.
    """
    whole = settings.subsample == 1.0 and not settings.one_side
    bound = settings.rules.monotonic or objective.restated(raw) is not objective
    return whole and not bound


def _stages(
    growth: BinnedGrowth,
    objective: Objective,
    raw: Floats,
    weight: Floats | None,
    settings: BoostSettings,
    watched: Watched | None,
    after: EndsHere | None,
) -> Iterator[Iterate]:
    outputs, n = raw.shape
    total = objective.total_weight
    slopes = objective.slopes(n)
    loss = slopes.move(raw) / total
    now = loss if watched is None else watched.measure(watched.raw)
    measured = [*settings.history, now]
    yield _state(growth, loss, measured, 0, settings, (loss, 0.0, 0.0))
    last_oob: float | None = None
    rng = np.random.default_rng(settings.seed)
    for stage in range(1, settings.n_stages + 1):
        if settings.draws:
            rng = _stage_rng(settings, stage)
        restated = objective.restated(raw)
        if restated is not objective:
            objective, slopes = restated, restated.slopes(n)
            slopes.move(raw)
        rows, stands_for = drawn_rows(slopes, raw, settings, settings.first_stage + stage, rng)
        own = weight
        if stands_for is not None:
            own = stands_for if weight is None else weight * stands_for
        spread = own.astype(np.float32) if settings.least_squares and own is not None else None
        others = None if rows is None else np.flatnonzero(left_out(rows, n)).astype(np.uint32)
        sampled = None if others is None or settings.one_side or not len(others) else others
        rest = None if sampled is None else objective.part(sampled)
        if rest is not None and last_oob is None:
            last_oob = rest.mean_loss(np.ascontiguousarray(raw[:, sampled]))
        for k in range(outputs):
            seed = int(rng.integers(2**63)) if settings.rules.split_features else 0
            slope, bend = as_drawn(*slopes.of(k, raw), stands_for)
            output = k if outputs > 1 else -1
            growth.grow(
                slope,
                spread if settings.least_squares else bend,
                rows=rows,
                weight=own,
                seed=seed,
                output=output,
            )
            set_leaf_values(growth, objective, k, raw, own, slope, bend, settings)
            growth.shrink_and_add(settings.rate, raw[k])
            if others is not None:
                growth.add_to_rows(growth.table, others, raw[k])
            if watched is not None:
                every = np.arange(watched.table.n_rows, dtype=np.uint32)
                growth.add_to_rows(watched.table, every, watched.raw[k])
        loss = slopes.move(raw) / total
        measured.append(loss if watched is None else watched.measure(watched.raw))
        seen = (loss, 0.0, 0.0)
        if rest is not None:
            oob = rest.mean_loss(np.ascontiguousarray(raw[:, sampled]))
            share = rest.total_weight / total
            seen = ((loss - share * oob) / (1.0 - share), oob, (last_oob or 0.0) - oob)
            last_oob = oob
        number = settings.first_stage + stage
        ended = after is not None and after(Stage(number, growth, raw, rows, *seen))
        yield _state(growth, loss, measured, stage, settings, seen, ended)


def _state(
    growth: BinnedGrowth,
    loss: float,
    measured: list[float],
    stage: int,
    settings: BoostSettings,
    seen: tuple[float, float, float],
    ended: bool = False,
) -> Iterate:
    tired = settings.patience > 0 and _no_longer_falls(measured, settings)
    left = 0 if tired or ended else settings.n_stages - stage
    return Iterate(growth, loss, float(left), stage, trace=(measured[-1], *seen))


def _no_longer_falls(measured: list[float], settings: BoostSettings) -> bool:
    """Whether none of the last values is below the one before them by more than the tolerance."""
    if len(measured) <= settings.patience:
        return False
    reference = measured[-settings.patience - 1] - settings.tol
    return all(value >= reference for value in measured[-settings.patience :])


def _stage_rng(settings: BoostSettings, stage: int) -> np.random.Generator:
    """The generator of a stage, the same whether it is reached in one fit or in several."""
    return np.random.default_rng((settings.seed, settings.first_stage + stage))
