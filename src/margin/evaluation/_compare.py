"""Which model suits this table, and how sure are we?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from threadpoolctl import threadpool_limits

from margin.core import check
from margin.evaluation._posed import posed
from margin.evaluation.race._entrants import Entrant, entrants
from margin.evaluation.race._pool import workers
from margin.evaluation.race._progress import Progress
from margin.evaluation.race._race import race
from margin.evaluation.race._run import Clock, Run
from margin.evaluation.table._column_info import Scale, TaskName
from margin.evaluation.table._problem import Problem, state_problem
from margin.evaluation.table._sample import affordable_rows, sample
from margin.evaluation.table._split import Split
from margin.evaluation.table._training import Training
from margin.evaluation.verdict._examination import examine_winner
from margin.evaluation.verdict._result import Comparison
from margin.evaluation.verdict._summary import summarise
from margin.evaluation.verdict._winner import refit_winner


def compare(
    frame: Any,
    target: str | None = None,
    *,
    task: TaskName | None = None,
    scales: Mapping[str, Scale] | None = None,
    metric: str | None = None,
    cost: Any = None,
    split: str = "random",
    group: str | None = None,
    budget: float | None = 60.0,
    jobs: int | None = None,
    seed: int = 0,
    test_size: float = 0.25,
    source: str = "",
    models: Iterable[Any] | None = None,
    extra: Iterable[Any] | None = None,
    against: Any = None,
    progress: Any = None,
) -> Comparison:
    """Compare the models of margin on a table, honestly.

    Test rows are held out first and used once, for the final score (evaluation.01). On the other
    rows every suitable model and the baselines run through repeated k-fold cross-validation, with
    preprocessing and tuning inside each fold; with a budget, those hopelessly behind leave early.
    The winner is refitted on all training rows.

    Parameters
    ----------
    frame : DataFrame
        The table, target included; pandas, or anything with ``to_pandas``.
    target : str, optional
        Column to predict; a column named like a target, or the last one, when absent.
    task : {"classification", "regression"}, optional
        Inferred from the target when absent.
    scales : mapping of str to str, optional
        Scales of columns for which the guess of :func:`describe_columns` would be wrong.
    metric : str, optional
        The score, such as ``"F1"``, ``"ROC AUC"`` or ``"MAE"``; what suits the target when absent.
    cost : pair, mapping or matrix, optional
        What wrong answers cost: of two classes a false positive and a false negative (the rarer
        class is the positive one), ``{(true, answer): cost}``, or the whole matrix with a row for
        every class. The score is then the cost, and answers are those that cost least.
    split : str
        ``"random"``; ``"time"``, where later rows judge earlier ones (by the date column, or the
        order of the rows), or ``"time:COLUMN"``.
    group : str, optional
        Column whose equal values belong together: a patient, a shop. No group is in both the rows
        that are learned from and those that judge.
    budget : float or None
        Seconds for everything: models that cannot be afforded do not start, hopeless ones leave
        early, a fit that takes too long is stopped. With ``None`` every model runs every fold.
    jobs : int or None
        Worker processes; ``None`` uses them when there is enough work. Scores do not depend on it.
    seed : int
        Same seed, same splits and scores (a budget may cut the number of folds).
    test_size : float
        Share of the rows held out.
    source : str
        Where the table came from, for the report.
    models : iterable of str, estimator or (name, estimator or class), optional
        Models to compare; all of margin's that suit when absent. Anything with scikit-learn's
        contract may take part, ``"module:Class"`` names a class of an installed library.
    extra : iterable, optional
        Further models, in the same forms.
    against : fitted pipeline or (name, fitted pipeline), optional
        A model from before that takes this table: it is judged on the test rows beside the winner.
    progress : object, optional
        May have methods ``stated(problem)`` (columns, target and task, once they are known),
        ``start(models, n_folds)``, ``update(model, fold, score, seconds)``, ``phase(text)`` and
        ``finish()``.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the table or the target cannot be used; the message names the column.
    KeyboardInterrupt
        If interrupted before anything was finished; later, the comparison reports on what is.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from sklearn.linear_model import LinearRegression
    >>> x = np.linspace(0, 1, 60)
    >>> frame = pd.DataFrame({"x": x, "y": 3 * x + 1})
    >>> comparison = compare(frame, "y", models=[("LinearRegression", LinearRegression)])
    >>> comparison.winner, comparison.task, round(comparison.test_score, 3)
    ('LinearRegression', 'regression', 1.0)
    """
    _check_arguments(budget, jobs, seed)
    told = Progress(progress)
    clock = Clock(math.inf if budget is None else float(budget))
    told.phase("looking at the columns")
    problem = state_problem(
        frame, target, task=task, scales=scales, metric=metric, cost=cost, split=split, group=group
    )
    told.stated(problem)
    problem, parts = _held_out(problem, test_size, seed, clock.budget)
    training = problem.training(parts.train, seed)
    field, skipped = _admitted(problem, training, models, extra)
    earlier = _earlier(against)
    run = Run(problem, parts, training, field, skipped, clock, jobs, told, source, earlier)
    try:
        told.start([e.name for e in run.entrants], len(training.folds))
        told.phase("cross-validation")
        raced = race(run)
        run = replace(run, entrants=raced.entrants)
        # Two pools of spinning threads, BLAS and ours, on the same cores hold each other up.
        with threadpool_limits({"blas": 1, "openmp": workers(jobs)}):
            winner = refit_winner(run, raced)
            examined = examine_winner(run, winner)
    finally:
        told.finish()
    return summarise(run, raced, winner, examined)


def _check_arguments(budget: Any, jobs: Any, seed: Any) -> None:
    number = isinstance(budget, int | float) and not isinstance(budget, bool)
    if budget is not None and not (number and budget > 0):
        raise check.fail("compare", "budget", "a number of seconds above 0, or None", budget)
    if jobs is not None and not (isinstance(jobs, int) and jobs):
        raise check.fail("compare", "jobs", "None or a whole number other than 0", jobs)
    if not (isinstance(seed, int | np.integer) and 0 <= seed < 2**32):
        raise check.fail("compare", "seed", "a whole number from 0 to 2**32 - 1", seed)


def _earlier(against: Any) -> tuple[str, Any] | None:
    """The model from before with a name."""
    if against is None or isinstance(against, tuple):
        return against
    last = against[-1] if isinstance(against, Pipeline) else against
    return type(last).__name__, against


def _held_out(
    problem: Problem, test_size: float, seed: int, seconds: float
) -> tuple[Problem, Split]:
    """Split off the test rows; of too many training rows keep a sample, and say so."""
    split = problem.split(test_size, seed)
    X, y = problem.X.iloc[split.train], problem.y[split.train]
    most = affordable_rows(problem.preprocessor, X, y, seconds=seconds)
    if most >= len(y):
        return problem, split
    kept = sample(split.train, problem.y, most, stratify=problem.stratify, seed=seed)
    note = f"learned on a sample of {most} of {len(y)} training rows, to keep to the budget"
    return replace(problem, warnings=(*problem.warnings, note)), split._replace(train=kept)


def _admitted(
    problem: Problem,
    training: Training,
    models: Iterable[Any] | None,
    extra: Iterable[Any] | None,
) -> tuple[tuple[Entrant, ...], tuple[tuple[str, str], ...]]:
    """Models that can be fitted to this table, and the others with the reason."""
    lowest = float(np.min(problem.y)) if problem.task == "regression" else 0.0
    field, skipped = entrants(
        problem.task,
        models,
        len(training.y),
        lowest_target=lowest,
        n_classes=len(np.unique(training.y)) if problem.stratify else 0,
        extra=extra,
    )
    admitted, refused = posed(field, problem)
    return admitted, (*skipped, *refused)
