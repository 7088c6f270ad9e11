"""What is measured about the winner: test score, baseline, learning curve, importances."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from margin.core.types import Array
from margin.evaluation.race._interrupts import UntilInterrupted
from margin.evaluation.race._quiet_fit import one_line
from margin.evaluation.race._run import Run
from margin.evaluation.table._folds import one_repeat
from margin.evaluation.verdict._afterwards import (
    Explained,
    calibration,
    curves_of,
    effects_of,
    explained,
    measured_coverage,
)
from margin.evaluation.verdict._against import Against, against
from margin.evaluation.verdict._final import Final, Verified, refit, verify
from margin.evaluation.verdict._forward import ForwardScore, forward_score
from margin.evaluation.verdict._held_out import held_out_residuals, with_residuals
from margin.evaluation.verdict._importance import permutation_importance
from margin.evaluation.verdict._learning_curve import learning_curve
from margin.evaluation.verdict._paired import PairedTest
from margin.evaluation.verdict._result import Baseline, Importance, LearningCurve, ModelResult
from margin.evaluation.verdict._row_test import row_test
from margin.evaluation.verdict._standings import paired_test
from margin.evaluation.verdict._winner import Winner
from margin.evaluation.winner._calibration import Calibration
from margin.evaluation.winner._coverage import Coverage
from margin.evaluation.winner._curves import DecisionCurves
from margin.evaluation.winner._effects import Effect
from margin.evaluation.winner._explain import too_wide

T = TypeVar("T")

# Of the time that is left, what resamples of the test rows may take, and how many scores they draw.
_RESAMPLING, _SCORES = 0.1, 5


@dataclass(frozen=True)
class Examination:
    """The winner as it will be handed out, and what was measured about it.

    ``against_baseline`` compares it with the best baseline over the folds, and
    ``test_against_baseline`` over the test rows; ``None`` when a baseline won. ``missing`` says
    why something else is not there, by its name.
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
    curves: tuple[DecisionCurves, ...] = ()
    calibration: Calibration | None = None
    coverage: Coverage | None = None
    effects: tuple[Effect, ...] = ()
    explained: Explained | None = None
    against: Against | None = None
    missing: tuple[tuple[str, str], ...] = ()


class _Panels:
    """Optional work by name; of what is not there, the reason is kept."""

    def __init__(self, interrupted: bool, ends: float) -> None:
        self._optional = UntilInterrupted(interrupted, ends)
        self.missing: dict[str, str] = {}

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C was pressed by now."""
        return self._optional.interrupted

    def __call__(self, name: str, work: Callable[[], T], otherwise: str = "") -> T | None:
        """Result of the work; ``otherwise`` tells why it may come to nothing in itself."""
        try:
            result = self._optional(work)
        except ValueError as error:  # rows that are set aside may lack a class, or a value
            result, otherwise = None, one_line(error)
        why = self._optional.why or otherwise
        if why and (result is None or result == ()):
            self.missing[name] = why
        return result


def examine_winner(run: Run, winner: Winner) -> Examination:
    """Score the winner on the test rows, once, and measure what explains it.

    What is not needed for the verdict is left out after Ctrl-C, or when the time is up. What
    people use the model with comes first, the learning curve, which takes most fits, last.
    """
    baseline, answers, paired = _against_baseline(run, winner.results)
    panel = _Panels(winner.interrupted, run.clock.report_begins)
    final = winner.final
    forward = panel("forward", lambda: _forward(run, final))
    if not run.problem.stratify:
        residuals = panel("intervals", lambda: held_out_residuals(run.training, final.model))
        if residuals is not None:
            final = with_residuals(final, residuals)
    seconds = _RESAMPLING * max(run.clock.left(), 0.0) / _SCORES
    test = verify(run.training, final.model, *run.held_out, seconds=seconds)
    over_rows = None if paired is None else _over_rows(run, test, answers)
    against = panel("against", lambda: _against(run, test))
    run.progress.phase("importance of the columns")
    importances = panel("importance", lambda: _importances(run, final)) or ()
    run.progress.phase("effects of the columns")
    shown = panel("effects", lambda: effects_of(run, final, importances), _NO_EFFECTS) or ()
    rows = panel("explanation", lambda: explained(run, final), too_wide(run.problem.X.shape[1]))
    calibrated = panel("calibration", lambda: calibration(run, final))
    curve = panel("learning curve", lambda: _curve(run, final), "there are too few rows for it")
    return Examination(
        final=final,
        test=test,
        baseline=baseline,
        against_baseline=paired,
        curve=curve,
        importances=importances,
        interrupted=panel.interrupted,
        test_against_baseline=over_rows,
        forward=None if forward is None else replace(forward, random_score=test.score),
        curves=curves_of(run, final, test, calibrated),
        calibration=calibrated,
        coverage=measured_coverage(run, test),
        effects=shown,
        explained=rows,
        against=against,
        missing=tuple(panel.missing.items()),
    )


_NO_EFFECTS = "no column takes two or more values that could be set"


def _against(run: Run, test: Verified) -> Against | None:
    """The winner against a model from before, where there is one."""
    if run.earlier is None or run.problem.table is None:
        return None
    name, model = run.earlier
    return against(
        name,
        model,
        run.problem.table.iloc[run.split.test],
        run.held_out[1],
        test.y_pred if test.answers is None else test.answers,
        run.training.metric,
        seed=run.training.seed,
        resamples=test.resamples,
    )


def _forward(run: Run, final: Final) -> ForwardScore | None:
    suspected = run.problem.suspected
    if suspected is None:
        return None
    run.progress.phase("forward in time")
    share = len(run.split.test) / len(run.problem.y)
    return forward_score(run.problem, suspected, final.model, test_size=share)


def _over_rows(run: Run, test: Verified, baseline: Array) -> PairedTest:
    training, y_test = run.training, run.held_out[1]
    own = test.y_pred if test.answers is None else test.answers
    return row_test(
        training.metric, y_test, own, baseline, seed=training.seed, resamples=test.resamples
    )


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
