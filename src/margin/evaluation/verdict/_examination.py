"""What is measured about the winner: test score, baseline, learning curve, importances."""

from __future__ import annotations

import time
from dataclasses import dataclass

from margin.core.types import Array
from margin.evaluation.race._interrupts import UntilInterrupted
from margin.evaluation.race._run import Run
from margin.evaluation.table._folds import one_repeat
from margin.evaluation.verdict._afterwards import (
    Explained,
    calibration,
    effects_of,
    explained,
    measured_coverage,
)
from margin.evaluation.verdict._against import Against, against
from margin.evaluation.verdict._final import Final, Verified, refit, verify
from margin.evaluation.verdict._forward import ForwardScore, forward_score
from margin.evaluation.verdict._held_out import (
    held_out_residuals,
    with_residuals,
)
from margin.evaluation.verdict._importance import permutation_importance
from margin.evaluation.verdict._learning_curve import learning_curve
from margin.evaluation.verdict._paired import PairedTest
from margin.evaluation.verdict._result import Baseline, Importance, LearningCurve, ModelResult
from margin.evaluation.verdict._row_test import row_test
from margin.evaluation.verdict._standings import paired_test
from margin.evaluation.verdict._winner import Winner
from margin.evaluation.winner._calibration import Calibration
from margin.evaluation.winner._coverage import Coverage
from margin.evaluation.winner._curves import DecisionCurves, decision_curves
from margin.evaluation.winner._effects import Effect


@dataclass(frozen=True)
class Examination:
    """The winner as it will be handed out, and what was measured about it.

    ``against_baseline`` compares it with the best baseline over the folds, and
    ``test_against_baseline`` over the test rows; ``None`` when a baseline won.
    """

    final: Final
    test: Verified
    baseline: Baseline
    against_baseline: PairedTest | None
    curve: LearningCurve | None
    importances: tuple[Importance, ...]
    interrupted: bool
    test_against_baseline: PairedTest | None = None
    forward: ForwardScore | None = None
    curves: DecisionCurves | None = None
    calibration: Calibration | None = None
    coverage: Coverage | None = None
    effects: tuple[Effect, ...] = ()
    explained: Explained | None = None
    against: Against | None = None


def examine_winner(run: Run, winner: Winner) -> Examination:
    """Score the winner on the test rows, once, and measure what explains it.

    What is not needed for the verdict is left out after Ctrl-C, or when the time is up. What
    people use the model with comes first, the learning curve, which takes most fits, last.
    """
    baseline, answers, paired = _against_baseline(run, winner.results)
    optional = UntilInterrupted(winner.interrupted, run.clock.report_begins)
    final = winner.final
    if not run.problem.stratify:
        residuals = optional(lambda: held_out_residuals(run.training, final.model))
        if residuals is not None:
            final = with_residuals(final, residuals)
    test = verify(run.training, final.model, *run.held_out)
    forward = optional(lambda: _forward(run, final, test.score))
    run.progress.phase("importance of the columns")
    importances = optional(lambda: _importances(run, final)) or ()
    run.progress.phase("effects of the columns")
    shown = optional(lambda: effects_of(run, final, importances)) or ()
    rows = optional(lambda: explained(run, final))
    calibrated = optional(lambda: calibration(run, final))
    curve = optional(lambda: _curve(run, final))
    return Examination(
        final=final,
        test=test,
        baseline=baseline,
        against_baseline=paired,
        curve=curve,
        importances=importances,
        interrupted=optional.interrupted,
        test_against_baseline=None if paired is None else _over_rows(run, test, answers),
        forward=forward,
        curves=_curves(run, final, test),
        calibration=calibrated,
        coverage=measured_coverage(run, test),
        effects=shown,
        explained=rows,
        against=_against(run, test),
    )


def _against(run: Run, test: Verified) -> Against | None:
    """The winner against a model from before, where there is one."""
    if run.earlier is None or run.problem.table is None:
        return None
    name, model = run.earlier
    X = run.problem.table.iloc[run.split.test]
    own = test.y_pred if test.answers is None else test.answers
    metric, seed = run.training.metric, run.training.seed
    return against(name, model, X, run.held_out[1], own, metric, seed=seed)


def _forward(run: Run, final: Final, random_score: float) -> ForwardScore | None:
    suspected = run.problem.suspected
    if suspected is None or time.perf_counter() >= run.clock.ends:
        return None
    run.progress.phase("forward in time")
    share = len(run.split.test) / len(run.problem.y)
    try:
        return forward_score(
            run.problem, suspected, final.model, test_size=share, random_score=random_score
        )
    except ValueError:  # the earlier rows may lack a class
        return None


def _curves(run: Run, final: Final, test: Verified) -> DecisionCurves | None:
    """Curves of the positive class of two, where the winner orders rows by it."""
    metric, y_test = run.training.metric, run.held_out[1]
    if not run.problem.stratify or len(metric.classes) != 2 or test.y_proba is None:
        return None
    if test.y_proba.shape[1] != 2:
        return None
    place = metric.classes.index(metric.positive)
    rule = getattr(final.model[-1], "rule_", None)
    threshold = 0.5 if rule is None else rule.threshold
    return decision_curves(
        y_test, test.y_proba[:, place], test.y_pred, positive=metric.positive, threshold=threshold
    )


def _over_rows(run: Run, test: Verified, baseline: Array) -> PairedTest:
    training, y_test = run.training, run.held_out[1]
    own = test.y_pred if test.answers is None else test.answers
    return row_test(training.metric, y_test, own, baseline, seed=training.seed)


def _against_baseline(
    run: Run, results: tuple[ModelResult, ...]
) -> tuple[Baseline, Array, PairedTest | None]:
    """Best baseline of the folds with its score and answers on the test rows, and the winner."""
    best = next(r for r in results if r.is_baseline)
    model = refit(run.training, run.entrant(best.model), best.params).model
    X_test, y_test = run.held_out
    answers = run.training.metric.answers(model, X_test)
    baseline = Baseline(best.model, run.training.metric(y_test, answers))
    if results[0].is_baseline:
        return baseline, answers, None
    return baseline, answers, paired_test(results[0], best, run.training)


def _curve(run: Run, final: Final) -> LearningCurve | None:
    run.progress.phase("learning curve")
    return learning_curve(
        final.model,
        run.training.X,
        run.training.y,
        metric=run.training.metric,
        folds=one_repeat(run.training.folds),
        seed=run.training.seed,
        deadline=run.clock.report_begins,
    )


def _importances(run: Run, final: Final) -> tuple[Importance, ...]:
    # The other half of the time is for the learning curve.
    return permutation_importance(
        final.model,
        *run.held_out,
        metric=run.training.metric,
        seed=run.training.seed,
        deadline=time.perf_counter() + run.clock.half,
    )
