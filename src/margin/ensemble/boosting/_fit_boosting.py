"""From checked data to a boosted model: what both estimators share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from margin.core import Solution
from margin.core.progress import Callback
from margin.core.types import Bools, Floats, Matrix, Places
from margin.ensemble.boosting._boost import Stage, Watched, boost
from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._leaf_steps import without_branches
from margin.ensemble.boosting._objective import Objective
from margin.search import Bins, Forest

MakeObjective = Callable[[NDArray[Any], Floats | None], Objective]
Measure = Callable[[Any, NDArray[Any], Floats | None, Floats], float]


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


@dataclass(frozen=True)
class Sample:
    """Rows to learn from: table, coded targets, weights, and scores of a model before them.

    ``offset`` has the shape (n_outputs, n_rows).
    """

    X: Matrix
    y: NDArray[Any]
    weight: Floats | None = None
    offset: Floats | None = None

    def part(self, rows: Any) -> Sample:
        """Some of the rows."""
        return Sample(
            self.X[rows],
            self.y[rows],
            None if self.weight is None else self.weight[rows],
            None if self.offset is None else self.offset[:, rows],
        )


def fit_boosting(
    sample: Sample,
    aside: Sample | None,
    *,
    make: MakeObjective,
    measure: Measure,
    settings: BoostSettings,
    categorical: Bools | None,
    max_bins: int,
    before: BoostedModel | None,
    rng: np.random.Generator,
    n_threads: int,
    callback: Callback | None,
    after: Callable[[Stage, Callable[[], BoostedModel]], bool] | None = None,
) -> tuple[BoostedModel, Solution]:
    """Bin the table and add stages, watched on the rows set aside if there are any.

    ``before`` is a model to go on from, whose bins and start are kept. ``after`` is called after
    every stage, with a function that makes the model so far, and says whether it is the last.
    """
    if before is not None:
        bins = before.bins
    else:
        bins = Bins.of(
            sample.X,
            weight=sample.weight,
            max_bins=max_bins,
            categorical=categorical,
            rng=rng,
            n_threads=n_threads,
        )
    objective = make(sample.y, sample.weight)
    if before is not None:
        start = before.start
    else:
        start = objective.start() if sample.offset is None else np.zeros(objective.n_outputs)

    def scores(of: Sample) -> Floats:
        raw = np.repeat(start[:, None], of.X.shape[0], axis=1)
        if of.offset is not None:
            raw += of.offset
        if before is not None and before.forest is not None:
            raw += before.forest.predict(of.X, n_threads=n_threads).T
        return np.ascontiguousarray(raw)

    watched = None
    if aside is not None:
        watched = Watched(
            bins.encode(aside.X, n_threads),
            scores(aside),
            lambda raw: measure(aside.X, aside.y, aside.weight, raw),
        )

    def so_far(stage: Stage) -> BoostedModel:
        trees = all_trees(before, stage.growth, objective.n_outputs, settings.pruning)
        return BoostedModel(bins, start, trees)

    def ends(stage: Stage) -> bool:
        return after is not None and after(stage, partial(so_far, stage))

    solution = boost(
        bins,
        bins.encode(sample.X, n_threads),
        objective,
        scores(sample),
        sample.weight,
        settings,
        watched=watched,
        n_threads=n_threads,
        callback=callback,
        after=None if after is None else ends,
    )
    forest = all_trees(before, solution.x, objective.n_outputs, settings.pruning)
    return BoostedModel(bins, start, forest), solution


def all_trees(
    before: BoostedModel | None, growth: Any, n_outputs: int, pruning: float
) -> Forest | None:
    """The trees there were and those grown, without the branches that do not pay."""
    forests = [] if before is None or before.forest is None else [before.forest]
    if growth.n_trees:
        grown = growth.forest(n_outputs)
        forests.append(without_branches(grown, pruning) if pruning > 0 else grown)
    return Forest.concatenate(forests) if forests else None


def divided(
    n: int, labels: NDArray[Any] | None, held_out: float, rng: np.random.Generator
) -> tuple[Places, Places]:
    """Rows to learn from and rows set aside, in rising order; classes in equal shares.

    Examples
    --------
    >>> [len(part) for part in divided(10, None, 0.2, np.random.default_rng(0))]
    [8, 2]
    """
    seed = int(rng.integers(2**31))
    train, aside = train_test_split(
        np.arange(n), test_size=held_out, random_state=seed, stratify=labels
    )
    return np.sort(train), np.sort(aside)
