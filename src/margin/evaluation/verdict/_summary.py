"""From the parts of a comparison to the value that is handed out."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from margin.evaluation.models._params import plain_params
from margin.evaluation.race._course import Race
from margin.evaluation.race._run import Run
from margin.evaluation.resamples._draws import MOST
from margin.evaluation.table._folds import rare_classes
from margin.evaluation.table._metric_words import explained
from margin.evaluation.verdict._examination import Examination
from margin.evaluation.verdict._forward import unmeasured
from margin.evaluation.verdict._limits import Limits
from margin.evaluation.verdict._result import NO_TIME, Comparison
from margin.evaluation.verdict._verdict import verdict
from margin.evaluation.verdict._winner import Winner
from margin.evaluation.winner._drift import profile


def summarise(run: Run, raced: Race, winner: Winner, examined: Examination) -> Comparison:
    """Everything that was found out, in plain values."""
    problem, results, test = run.problem, winner.results, examined.test
    names = tuple(np.unique(problem.y).tolist()) if problem.stratify else ()
    words = verdict(
        results,
        test,
        examined.baseline,
        examined.against_baseline,
        examined.curve,
        metric=problem.metric,
        over_rows=examined.test_against_baseline,
    )
    return Comparison(
        source=run.source,
        task=problem.task,
        target=problem.target,
        metric=problem.metric.title,
        classes=names,
        columns=problem.columns,
        n_rows=problem.n_rows,
        n_train=len(run.split.train),
        n_test=len(run.split.test),
        results=tuple(replace(r, params=plain_params(r.params)) for r in results),
        winner=examined.final.name,
        model=examined.final.model,
        test_score=test.score,
        test_interval=test.interval,
        baseline=examined.baseline,
        verdict=words,
        learning_curve=examined.curve,
        importances=examined.importances,
        y_test=run.held_out[1],
        y_pred=test.y_pred,
        y_proba=test.y_proba,
        y_interval=test.y_interval,
        fit_report=examined.final.report,
        seed=run.training.seed,
        folds=run.training.plan.in_words(run.training.folds, len(results[0].scores)),
        seconds=run.clock.elapsed,
        interrupted=examined.interrupted,
        out_of_budget=raced.out_of_time,
        warnings=_warnings(run, examined),
        skipped=_skipped(run, raced, winner),
        limits=_limits(run, raced, winner),
        against_baseline=examined.against_baseline,
        test_against_baseline=examined.test_against_baseline,
        metric_words=explained(problem.metric, problem.target),
        nature=problem.nature,
        forward=examined.forward,
        curves=examined.curves[0] if len(examined.curves) == 1 and len(names) == 2 else None,
        class_curves=examined.curves if len(names) > 2 else (),
        missing=examined.missing,
        calibration=examined.calibration,
        coverage=examined.coverage,
        effects=examined.effects,
        explanation=None if examined.explained is None else examined.explained.shown,
        explained_rows=()
        if examined.explained is None
        else tuple(examined.explained.rows.tolist()),
        against=examined.against,
        profile=tuple(profile(run.training.X, problem.columns)),
    )


def _limits(run: Run, raced: Race, winner: Winner) -> Limits:
    folds = tuple(
        (r.model, len(r.scores))
        for r in winner.results
        if not (r.is_baseline or r.status.startswith("failed"))
    )
    late = any(r.status == NO_TIME for r in winner.results)
    nobody = not folds or (late and winner.results[0].is_baseline)
    short = late or bool(raced.waiting or raced.stopped)
    return Limits(
        budget=run.clock.budget if math.isfinite(run.clock.budget) else None,
        folds=folds,
        left=tuple(raced.left.items()),
        unfinished=tuple((n, why) for n, why in raced.waiting.items() if n in dict(folds)),
        stopped=tuple(raced.stopped.items()),
        only_baselines=nobody,
        out_of_time=raced.out_of_time or (nobody and short),
    )


def _skipped(run: Run, raced: Race, winner: Winner) -> tuple[tuple[str, str], ...]:
    """Models that did not take part or finished no fold, with the reason."""
    finished = {result.model for result in winner.results}
    why = "interrupted" if raced.interrupted else "no time left"
    reasons = {**raced.left, **raced.stopped, **raced.waiting}
    absent = [e.name for e in run.entrants if e.name not in finished]
    return (*run.skipped, *((name, reasons.get(name, why)) for name in absent))


def _warnings(run: Run, examined: Examination) -> tuple[str, ...]:
    importances = examined.importances
    warnings = list(run.problem.warnings)
    suspected = run.problem.suspected
    if examined.forward is not None:
        warnings.insert(0, examined.forward.text)
    elif suspected is not None:
        warnings.insert(0, unmeasured(suspected, dict(examined.missing).get("forward", "no time")))
    if examined.test.resamples < MOST:
        drawn = examined.test.resamples
        warnings.append(f"time was short: the test rows were resampled {drawn} times, not {MOST}")
    if run.problem.stratify:
        n_folds = round(len(run.training.y) / len(run.training.folds[0][1]))
        warnings += rare_classes(run.training.y, n_folds)
    n_columns = run.problem.X.shape[1]
    if 0 < len(importances) < n_columns:
        warnings.append(f"importance was measured for {len(importances)} of {n_columns} columns")
    return tuple(warnings)
