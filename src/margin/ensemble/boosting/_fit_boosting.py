"""From checked data to a boosted model: what both estimators share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Bools, Floats
from margin.ensemble.boosting._boost import BoostSettings, Watched, boost
from margin.ensemble.boosting._objective import Objective
from margin.search import Bins, Forest

MakeObjective = Callable[[NDArray[Any], Floats | None], Objective]
Measure = Callable[[NDArray[Any], NDArray[Any], Floats | None, Floats], float]


@dataclass(frozen=True)
class BoostedModel:
    """What boosting learnt.

    Parameters
    ----------
    bins : Bins
        Bins of the columns.
    start : array, shape (n_outputs,)
        Constants that the trees are added to.
    forest : Forest
        All trees, stage after stage, a tree per output in each; None before the first stage.
    """

    bins: Bins
    start: Floats
    forest: Forest | None


def fit_boosting(
    X: NDArray[Any],
    y: NDArray[Any],
    weight: Floats | None,
    *,
    make: MakeObjective,
    measure: Measure,
    settings: BoostSettings,
    offset: Floats | None,
    held_out: float,
    stratify: bool,
    categorical: Bools | None,
    max_bins: int,
    before: BoostedModel | None,
    rng: np.random.Generator,
    n_threads: int,
    callback: Callback | None,
) -> tuple[BoostedModel, Solution]:
    """Bin the table, set rows aside if asked to, and add stages.

    ``offset``, of shape (n_outputs, n_rows), is the answer of a model that the trees improve on;
    ``before`` a model to go on from, whose bins and start are kept.
    """
    if weight is not None and not weight.all():
        kept = weight > 0
        X, y, weight = X[kept], y[kept], weight[kept]
        offset = None if offset is None else offset[:, kept]
    train, aside = _divided(len(y), y if stratify else None, held_out, rng)
    bins = before.bins if before is not None else None
    if bins is None:
        bins = Bins.of(
            X if aside is None else X[train],
            weight=weight if aside is None or weight is None else weight[train],
            max_bins=max_bins,
            categorical=categorical,
            rng=rng,
            n_threads=n_threads,
        )

    def part(rows: Any) -> tuple[Any, Any, Floats | None]:
        if aside is None:
            return X, y, weight
        return X[rows], y[rows], None if weight is None else weight[rows]

    own_X, own_y, own_weight = part(train)
    objective = make(own_y, own_weight)
    start = before.start if before is not None else _start(objective, offset)

    def scores(table: Any, rows: Any) -> Floats:
        raw = np.repeat(start[:, None], table.shape[0], axis=1)
        if offset is not None:
            raw += offset if aside is None else offset[:, rows]
        if before is not None and before.forest is not None:
            raw += before.forest.predict(table, n_threads=n_threads).T
        return np.ascontiguousarray(raw)

    watched = None
    if aside is not None:
        other_X, other_y, other_weight = part(aside)
        watched = Watched(
            bins.encode(other_X, n_threads),
            scores(other_X, aside),
            lambda raw: measure(other_X, other_y, other_weight, raw),
        )
    solution = boost(
        bins,
        bins.encode(own_X, n_threads),
        objective,
        scores(own_X, train),
        own_weight,
        settings,
        watched=watched,
        rng=rng,
        n_threads=n_threads,
        callback=callback,
    )
    grown = solution.x.forest(objective.n_outputs) if solution.x.n_trees else None
    forests = [f for f in (before.forest if before is not None else None, grown) if f is not None]
    forest = Forest.concatenate(forests) if forests else None
    return BoostedModel(bins, start, forest), solution


def _start(objective: Objective, offset: Floats | None) -> Floats:
    """Best constants, or none where another model has been there before."""
    return objective.start() if offset is None else np.zeros(objective.n_outputs)


def _divided(
    n: int, labels: NDArray[Any] | None, held_out: float, rng: np.random.Generator
) -> tuple[Any, Any]:
    """Rows to learn from and rows set aside; None where none are."""
    if held_out <= 0:
        return slice(None), None
    if labels is not None and np.unique(labels, return_counts=True)[1].min() < 2:
        labels = None
    seed = int(rng.integers(2**31))
    train, aside = train_test_split(
        np.arange(n), test_size=held_out, random_state=seed, stratify=labels
    )
    return np.sort(train), np.sort(aside)
