"""What is measured about the winner: test score, baseline, learning curve, importances."""

from __future__ import annotations

from dataclasses import dataclass

from margin.evaluation.race._interrupts import UntilInterrupted
from margin.evaluation.race._run import Run
from margin.evaluation.table._folds import one_repeat
from margin.evaluation.verdict._final import (
    Final,
    Verified,
    held_out_residuals,
    refit,
    verify,
    with_residuals,
)
from margin.evaluation.verdict._importance import permutation_importance
from margin.evaluation.verdict._learning_curve import learning_curve
from margin.evaluation.verdict._paired import PairedTest, corrected_paired_test
from margin.evaluation.verdict._result import Baseline, Importance, LearningCurve, ModelResult
from margin.evaluation.verdict._winner import Winner


@dataclass(frozen=True)
class Examination:
    """The winner as it will be handed out, and what was measured about it.

    ``against_baseline`` compares it with the best baseline over the folds, ``None`` when a
    baseline won.
    """

    final: Final
    test: Verified
    baseline: Baseline
    against_baseline: PairedTest | None
    curve: LearningCurve | None
    importances: tuple[Importance, ...]
    interrupted: bool


def examine_winner(run: Run, winner: Winner) -> Examination:
    """Score the winner on the test rows, once, and measure what explains it.

    Learning curve, residuals and importances are left out after Ctrl-C, or when the time is up:
    the rest of the report does not depend on them.
    """
    baseline, paired = _against_baseline(run, winner.results)
    optional = UntilInterrupted(winner.interrupted)
    final = winner.final
    curve = optional(lambda: _curve(run, final))
    if not run.problem.stratify:
        residuals = optional(lambda: held_out_residuals(run.training, final.model))
        if residuals is not None:
            final = with_residuals(final, residuals)
    run.progress.phase("importance of the columns")
    importances = optional(lambda: _importances(run, final))
    return Examination(
        final=final,
        test=verify(run.training, final.model, *run.held_out),
        baseline=baseline,
        against_baseline=paired,
        curve=curve,
        importances=importances or (),
        interrupted=optional.interrupted,
    )


def _against_baseline(
    run: Run, results: tuple[ModelResult, ...]
) -> tuple[Baseline, PairedTest | None]:
    """Best baseline of the folds with its score on the test rows, and the winner against it."""
    best = next(r for r in results if r.is_baseline)
    model = refit(run.training, run.entrant(best.model), best.params).model
    X_test, y_test = run.held_out
    baseline = Baseline(best.model, run.training.metric(y_test, model.predict(X_test)))
    if results[0].is_baseline:
        return baseline, None
    train, test = run.training.folds[0]
    paired = corrected_paired_test(
        results[0].scores, best.scores, n_train=len(train), n_test=len(test)
    )
    return baseline, paired


def _curve(run: Run, final: Final) -> LearningCurve | None:
    run.progress.phase("learning curve")
    return learning_curve(
        final.model,
        run.training.X,
        run.training.y,
        metric=run.training.metric,
        folds=one_repeat(run.training.folds),
        seed=run.training.seed,
        deadline=run.clock.ends,
    )


def _importances(run: Run, final: Final) -> tuple[Importance, ...]:
    return permutation_importance(
        final.model,
        *run.held_out,
        metric=run.training.metric,
        seed=run.training.seed,
        deadline=run.clock.ends,
    )
