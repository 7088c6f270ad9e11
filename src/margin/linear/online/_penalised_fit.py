"""Perceptron steps while the weights shrink: one class against the rest."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Solution, stored_rows
from margin.core.progress import Callback
from margin.core.types import Array
from margin.linear.online._binary_problems import BinaryProblems
from margin.linear.online._holdout import Part
from margin.linear.online._sgd_fit import gradient_note, solve_tasks


@dataclass(frozen=True, eq=False)
class PenalisedWeights:
    """What a descent arrives at.

    Parameters
    ----------
    coef, intercept : ndarray of shape (n_problems, n_features) and (n_problems,)
        In the precision of the rows.
    progress : list
        Where each problem stands, to go on from.
    solution : Solution
        Of all problems together.
    notes : tuple of str
    """

    coef: Array
    intercept: Array
    progress: list[Any]
    solution: Solution
    notes: tuple[str, ...]


def penalised_weights(
    problems: BinaryProblems,
    rows: Part,
    kept: Part | None,
    start: tuple[Any, Any],
    last: Sequence[Any] | None = None,
    *,
    seed: int,
    max_iter: int,
    tol: float | None,
    callback: Callback | None = None,
) -> PenalisedWeights:
    """Stochastic descent of every problem.

    Parameters
    ----------
    problems : BinaryProblems
    rows : Part
    kept : Part or None
        Rows on which errors count, where some are kept aside.
    start : (ndarray or None, ndarray or None)
        Weights and intercepts to start from.
    last : sequence, optional
        Where the problems stood after the batch before.
    seed, max_iter, tol, callback
        Of the descent.
    """
    settings, p = problems.settings, rows.X.shape[1]
    table = stored_rows(rows.y, rows.weight)
    if problems.whole:
        table = settings.table(rows.X, rows.y, rows.weight)
    tasks = problems.tasks(rows, table, problems.starts(p, *start), kept)
    if last is not None:
        tasks = [replace(t, progress=at) for t, at in zip(tasks, last, strict=True)]
    solutions = solve_tasks(
        tasks, settings, seed=seed, max_iter=max_iter, tol=tol, callback=callback
    )
    points = [s.x for s in solutions]
    offsets = [x[p] if settings.fit_intercept else 0.0 for x in points]
    return PenalisedWeights(
        np.vstack([x[:p] for x in points]).astype(rows.X.dtype),
        np.array(offsets, dtype=rows.X.dtype),
        [s.extras["progress"] for s in solutions],
        Solution.merge(solutions, parts="classes", objective="mean"),
        gradient_note(solutions),
    )
