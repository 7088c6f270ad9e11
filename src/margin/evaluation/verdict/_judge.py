"""The winner before the test rows, and what the whole comparison amounts to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._folds import folds_in_words, one_repeat, rare_classes
from margin.evaluation.race._race import Progress, Race
from margin.evaluation.table._prepared import Arena
from margin.evaluation.table._problem import Problem
from margin.evaluation.table._split import Split
from margin.evaluation.verdict._final import Final, keep_residuals, refit, verify
from margin.evaluation.verdict._importance import permutation_importance
from margin.evaluation.verdict._learning_curve import learning_curve
from margin.evaluation.verdict._paired import PairedTest, corrected_paired_test
from margin.evaluation.verdict._result import (
    Baseline,
    Comparison,
    Importance,
    LearningCurve,
    ModelResult,
)
from margin.evaluation.verdict._verdict import verdict

T = TypeVar("T")


def judge(
    problem: Problem,
    split: Split,
    arena: Arena,
    results: list[ModelResult],
    field: list[Entrant],
    final: Final,
    run: Race,
    ends: float,
    told: Progress,
) -> Comparison:
    """Score the winner on the test rows, once, and say what was found."""
    X_test, y_test = problem.X.iloc[split.test], problem.y[split.test]
    baseline, paired = _baseline(results, arena, field, X_test, y_test)
    curve = _unless_interrupted(run, lambda: _curve(arena, final, ends, told))
    if not problem.stratify:
        _unless_interrupted(run, lambda: keep_residuals(arena, final.model))
    told.phase("importance of the columns")
    importances = _unless_interrupted(
        run,
        lambda: permutation_importance(
            final.model, X_test, y_test, metric=arena.metric, seed=arena.seed, deadline=ends
        ),
    )
    test = verify(arena, final.model, X_test, y_test)
    return Comparison(
        source="",
        task=problem.task,
        target=problem.target,
        metric=problem.metric.name,
        classes=tuple(np.unique(problem.y).tolist()) if problem.stratify else (),
        columns=problem.columns,
        n_rows=len(problem.y),
        n_train=len(split.train),
        n_test=len(split.test),
        results=tuple(results),
        winner=final.name,
        model=final.model,
        test_score=test.score,
        test_interval=test.interval,
        baseline=baseline,
        verdict=verdict(results, test, baseline, paired, curve, metric=problem.metric.name),
        learning_curve=curve,
        importances=importances or (),
        y_test=y_test,
        y_pred=test.y_pred,
        y_proba=test.y_proba,
        y_interval=test.y_interval,
        fit_report=final.report,
        seed=arena.seed,
        folds=folds_in_words(arena.folds, len(results[0].scores)),
        seconds=0.0,
        interrupted=run.interrupted,
        out_of_budget=run.out_of_time,
        warnings=_warnings(problem, arena, importances or ()),
    )


def _unless_interrupted(run: Race, work: Callable[[], T]) -> T | None:
    """Do the work, or nothing after Ctrl-C: the rest of the report does not depend on it."""
    if run.interrupted:
        return None
    try:
        return work()
    except KeyboardInterrupt:
        run.interrupted = True
        return None


def _curve(arena: Arena, final: Final, ends: float, told: Progress) -> LearningCurve | None:
    told.phase("learning curve")
    return learning_curve(
        final.model,
        arena.X,
        arena.y,
        metric=arena.metric,
        folds=one_repeat(arena.folds),
        seed=arena.seed,
        deadline=ends,
    )


def _baseline(
    results: list[ModelResult], arena: Arena, field: list[Entrant], X_test: Any, y_test: Any
) -> tuple[Baseline, PairedTest | None]:
    """Best baseline of the folds with its score on the test rows, and the winner against it."""
    best = next(r for r in results if r.is_baseline)
    entrant = next(e for e in field if e.name == best.model)
    predicted = refit(arena, entrant, best.params).model.predict(X_test)
    baseline = Baseline(best.model, arena.metric(y_test, predicted))
    if results[0].is_baseline:
        return baseline, None
    train, test = arena.folds[0]
    paired = corrected_paired_test(
        results[0].scores, best.scores, n_train=len(train), n_test=len(test)
    )
    return baseline, paired


def _warnings(
    problem: Problem, arena: Arena, importances: tuple[Importance, ...]
) -> tuple[str, ...]:
    found = list(problem.warnings)
    if problem.stratify:
        n_folds = round(len(arena.y) / len(arena.folds[0][1]))
        found += rare_classes(arena.y, n_folds)
    if 0 < len(importances) < problem.X.shape[1]:
        found.append(
            f"importance was measured for {len(importances)} of {problem.X.shape[1]} columns"
        )
    return tuple(found)
