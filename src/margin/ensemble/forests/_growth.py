"""Growing a forest: batches of trees, each on its own part of one shared table."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import FitReport, Status, progress
from margin.core.types import Floats, Indices, Ints, Matrix
from margin.ensemble.forests._draws import Draws, batches, tree_weights
from margin.search import (
    Bins,
    ClassTargets,
    ExactSettings,
    ExactTable,
    Forest,
    NumberTargets,
    grow_exact,
    pruned,
)


@dataclass(frozen=True, eq=False)
class ForestPlan:
    """How a forest grows on one table."""

    settings: ExactSettings
    binned: bool
    max_bins: int
    categorical: Indices | None
    ccp_alpha: float
    n_threads: int
    title: str


def forest_table(X: Matrix, plan: ForestPlan, weight: Floats | None) -> ExactTable:
    """The table that all trees share: codes of bins, sorted columns, or plain columns."""
    if plan.settings.random_splits:
        return ExactTable.of(X, plan.categorical, in_order=False, n_threads=plan.n_threads)
    if not plan.binned:
        return ExactTable.of(X, plan.categorical, n_threads=plan.n_threads)
    bins = Bins.of(X, weight=weight, max_bins=plan.max_bins, n_threads=plan.n_threads)
    return ExactTable.in_bins(X, bins, n_threads=plan.n_threads)


def grow_forest(
    X: Matrix,
    targets: ClassTargets | NumberTargets,
    plan: ForestPlan,
    draws: Draws,
    *,
    first: int = 0,
    weight: Floats | None = None,
    balanced: Ints | None = None,
) -> Forest:
    """Trees ``first`` and later of the draws; the same for any number of threads."""
    table = forest_table(X, plan, weight)
    n_trees, parts = len(draws.seeds), []
    with progress.bar(plan.title, total=n_trees) as tick:
        for trees in batches(n_trees, first, table.n_rows, plan.n_threads):
            part = grow_exact(
                table,
                targets,
                plan.settings,
                seeds=[int(s) for s in draws.seeds[trees.start : trees.stop]],
                weight=tree_weights(draws, trees, weight, balanced),
                usable=draws.columns(trees),
                n_threads=plan.n_threads,
            )
            parts.append(_pruned(part, plan.ccp_alpha))
            tick(trees.stop, float(part.impurity[part.is_leaf].mean()))
    return Forest.concatenate(parts)


def _pruned(forest: Forest, strength: float) -> Forest:
    if strength <= 0:
        return forest
    trees = [pruned(forest.select([t]), strength) for t in range(forest.n_trees)]
    return Forest.concatenate(trees)


def out_of_bag(forest: Forest, draws: Draws, X: Any, n_threads: int) -> tuple[Floats, Indices]:
    """Sums over the trees that have not seen a row of their values, and how many they are."""
    total = np.zeros((draws.n_rows, forest.n_outputs))
    trees = np.zeros(draws.n_rows, dtype=np.int64)
    for t in range(forest.n_trees):
        rows = draws.left_out(t)
        if len(rows):
            total[rows] += forest.predict(X[rows], first=t, last=t + 1, n_threads=n_threads)
            trees[rows] += 1
    return total, trees


def forest_report(plan: ForestPlan, forest: Forest) -> FitReport:
    """How a forest grew: its trees, and the mean impurity that is left in their leaves."""
    leaf = forest.is_leaf
    whole = forest.cover[forest.offsets[:-1]].sum()
    kind = "random" if plan.settings.random_splits else "binned" if plan.binned else "exact"
    return FitReport(
        plan.title,
        f"{forest.n_trees} trees with {kind} splits",
        Status.CONVERGED,
        int(forest.n_trees),
        float((forest.impurity * forest.cover)[leaf].sum() / whole),
    )
