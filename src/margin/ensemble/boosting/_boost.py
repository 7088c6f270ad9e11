"""The engine of gradient boosting: trees added one stage after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.progress import Callback
from margin.core.types import Floats
from margin.ensemble.boosting._objective import Objective
from margin.native.trees.bins import BinnedTable
from margin.search import BinnedGrowth, Bins, GrowthRules

Rows = NDArray[np.uint32]
_TOP, _OTHER = 0.2, 0.1  # shares of rows that one-side sampling keeps and draws


@dataclass(frozen=True)
class BoostSettings:
    """How stages are made.

    Parameters
    ----------
    n_stages : int
        Stages to add.
    rate : float
        Factor on the values of every tree.
    rules : GrowthRules
        Shape of the trees.
    subsample : float
        Share of the rows that a stage is grown on.
    one_side : bool
        Whether rows with small slopes are sampled and those with large ones all kept (GOSS).
    patience, tol : int, float
        Stop after so many stages in which the watched value has not fallen by more than ``tol``;
        0 to make all stages.
    """

    n_stages: int
    rate: float
    rules: GrowthRules
    subsample: float = 1.0
    one_side: bool = False
    patience: int = 0
    tol: float = 1e-7


@dataclass(frozen=True)
class Watched:
    """Rows that are set aside, and what is measured on their scores (lower is better)."""

    table: BinnedTable
    raw: Floats
    measure: Callable[[Floats], float]


def boost(
    bins: Bins,
    table: BinnedTable,
    objective: Objective,
    raw: Floats,
    weight: Floats | None,
    settings: BoostSettings,
    *,
    watched: Watched | None,
    rng: np.random.Generator,
    n_threads: int,
    callback: Callback | None = None,
) -> Solution:
    r"""Minimise a loss over sums of trees (tree.14, tree.15).

    Stage :math:`m` grows a tree :math:`h` on the slopes :math:`g_i = \partial \ell / \partial f_i`
    and curvatures at the scores so far, gives its leaves the values that minimise
    :math:`\sum_i \ell(f_i + h(x_i), y_i)` or its quadratic model, and adds it times the rate.

    ``raw``, of shape (n_outputs, n_rows), holds the scores to start from and ends with those of the
    last stage. Without ``watched``, the patience is with the training loss. The answer is the
    :class:`~margin.search.BinnedGrowth` with all trees; the trace holds the mean training loss and
    what was measured on the watched rows, before the first and after every stage.
    """
    growth = BinnedGrowth(bins, table, settings.rules, n_threads)
    stop = Stop(
        "stages to go",
        0.0,
        settings.n_stages,
        unit="stage",
        keep="last",
        columns=("watched",),
        advice=("lower learning_rate",),
    )
    states = _stages(growth, objective, raw, weight, settings, watched, rng)
    return iterate(states, stop, solver="gradient boosting", callback=callback)


def _stages(
    growth: BinnedGrowth,
    objective: Objective,
    raw: Floats,
    weight: Floats | None,
    settings: BoostSettings,
    watched: Watched | None,
    rng: np.random.Generator,
) -> Iterator[Iterate]:
    outputs, n = raw.shape
    total = float(n if weight is None else weight.sum())
    g = np.empty((outputs, n), dtype=np.float32)
    h = np.empty_like(g) if objective.has_curvature else None
    loss = objective.slopes(raw, g, h) / total
    measured = [loss if watched is None else watched.measure(watched.raw)]
    yield _state(growth, loss, measured, 0, settings)
    for stage in range(1, settings.n_stages + 1):
        rows = _drawn(g, h, settings, stage, rng)
        for k in range(outputs):
            seed = int(rng.integers(2**63)) if settings.rules.split_features else 0
            curvature = None if h is None else h[k]
            output = k if outputs > 1 else -1
            growth.grow(g[k], curvature, rows=rows, weight=weight, seed=seed, output=output)
            if objective.refits:
                growth.set_leaf_values(objective.leaf_values(k, raw, *growth.leaf_rows()))
            growth.shrink_and_add(settings.rate, raw[k])
            if rows is not None:
                left_out = np.ones(n, dtype=np.bool_)
                left_out[rows] = False
                others = np.flatnonzero(left_out).astype(np.uint32)
                growth.add_to_rows(growth.table, others, raw[k])
            if watched is not None:
                every = np.arange(watched.table.n_rows, dtype=np.uint32)
                growth.add_to_rows(watched.table, every, watched.raw[k])
        loss = objective.slopes(raw, g, h) / total
        measured.append(loss if watched is None else watched.measure(watched.raw))
        yield _state(growth, loss, measured, stage, settings)


def _state(
    growth: BinnedGrowth, loss: float, measured: list[float], stage: int, settings: BoostSettings
) -> Iterate:
    tired = settings.patience > 0 and _no_longer_falls(measured, settings)
    left = 0 if tired else settings.n_stages - stage
    return Iterate(growth, loss, float(left), stage, trace=(measured[-1],))


def _no_longer_falls(measured: list[float], settings: BoostSettings) -> bool:
    """Whether none of the last values is below the one before them by more than the tolerance."""
    if len(measured) <= settings.patience:
        return False
    reference = measured[-settings.patience - 1] - settings.tol
    return all(value >= reference for value in measured[-settings.patience :])


def _drawn(
    g: NDArray[np.float32],
    h: NDArray[np.float32] | None,
    settings: BoostSettings,
    stage: int,
    rng: np.random.Generator,
) -> Rows | None:
    """Rows that a stage is grown on, in rising order; None for all."""
    n = g.shape[1]
    if settings.one_side and stage > 1.0 / settings.rate:
        return _one_side(g, h, rng)
    if settings.subsample < 1.0:
        size = max(1, round(settings.subsample * n))
        chosen = rng.choice(n, size, replace=False, shuffle=False)
        return np.sort(chosen).astype(np.uint32)
    return None


def _one_side(
    g: NDArray[np.float32], h: NDArray[np.float32] | None, rng: np.random.Generator
) -> Rows:
    """All rows of large slope and a few of the others, whose slopes and curvatures grow for it."""
    n = g.shape[1]
    size = np.abs(g if h is None else g * h).sum(axis=0)
    top = min(n, max(1, round(_TOP * n)))
    large = np.argpartition(-size, top - 1)[:top]
    rest = np.ones(n, dtype=np.bool_)
    rest[large] = False
    others = np.flatnonzero(rest)
    drawn = rng.choice(others, min(len(others), max(1, round(_OTHER * n))), replace=False)
    if len(drawn):
        factor = np.float32(len(others) / len(drawn))
        for array in (g,) if h is None else (g, h):
            array[:, drawn] *= factor
    return np.sort(np.concatenate([large, drawn])).astype(np.uint32)
