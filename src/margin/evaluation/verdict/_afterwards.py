"""What makes the winner usable: calibration, coverage, effects, explanations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Places
from margin.evaluation.race._run import Run
from margin.evaluation.verdict._final import Final, Verified
from margin.evaluation.verdict._held_out import held_out_probabilities
from margin.evaluation.verdict._intervals import LEVEL
from margin.evaluation.verdict._result import Importance
from margin.evaluation.winner._calibration import Calibration, calibrated
from margin.evaluation.winner._coverage import Coverage, coverage
from margin.evaluation.winner._curves import MOST_CLASSES, DecisionCurves, decision_curves
from margin.evaluation.winner._decision import decision_of
from margin.evaluation.winner._effects import Effect, effects
from margin.evaluation.winner._explain import explain
from margin.evaluation.winner._outcome import outcome
from margin.inspection import Explanation

_MOST_EFFECTS = 6


@dataclass(frozen=True, eq=False)
class Explained:
    """Rows of the test set, by position, and what each column adds to their answers."""

    rows: Places
    shown: Explanation


def calibration(run: Run, final: Final) -> Calibration | None:
    """Calibration of the winner's probabilities, learned on training rows held out in turn."""
    training = run.training
    if not (run.problem.stratify and hasattr(final.model, "predict_proba")):
        return None
    run.progress.phase("calibration")
    classes = np.asarray(training.metric.classes)
    if len(final.model.classes_) != len(classes):
        return None
    probability = held_out_probabilities(training, final.model)
    known = ~np.isnan(probability).any(axis=1)
    return calibrated(training.y[known], probability[known], classes, seed=training.seed)


def curves_of(
    run: Run, final: Final, test: Verified, calibrated: Calibration | None
) -> tuple[DecisionCurves, ...]:
    """Curves of the positive class of two, or of each of several against the rest.

    They are drawn over the probabilities that predictions show.
    """
    metric, y_test, p = run.training.metric, run.held_out[1], test.y_proba
    classes = np.asarray(final.model.classes_).tolist() if run.problem.stratify else []
    if p is None or not 2 <= len(classes) == p.shape[1] <= MOST_CLASSES:
        return ()
    decision = decision_of(final.model, calibrated)
    mapped = calibrated is not None and calibrated.method != "none"
    shown = calibrated(p) if calibrated is not None else p
    chosen = [metric.positive] if len(classes) == 2 else classes
    curves = [
        decision_curves(
            y_test,
            shown[:, classes.index(label)],
            test.y_pred,
            positive=label,
            threshold=decision.threshold if decision and decision.label == label else None,
            calibrated=mapped,
        )
        for label in chosen
        if label in classes
    ]
    return tuple(curve for curve in curves if curve is not None)


def measured_coverage(run: Run, test: Verified) -> Coverage | None:
    """How often the intervals of a regression held on the test rows."""
    if test.y_interval is None:
        return None
    return coverage(run.held_out[1], test.y_interval, LEVEL)


def effects_of(run: Run, final: Final, importances: tuple[Importance, ...]) -> tuple[Effect, ...]:
    """Effects of the most important columns, or of the first ones."""
    problem = run.problem
    answer = outcome(final.model, problem.metric, problem.target, classification=problem.stratify)
    used = {c.name: c for c in problem.columns if c.used}
    names = [i.feature for i in importances if i.feature in used] or list(used)
    columns = [used[name] for name in names[:_MOST_EFFECTS]]
    return effects(answer, run.held_out[0], columns, outcome=answer.name, seed=run.training.seed)


def explained(run: Run, final: Final) -> Explained | None:
    """Explanations of a few test rows, from low to high answers."""
    problem = run.problem
    answer = outcome(final.model, problem.metric, problem.target, classification=problem.stratify)
    answers_explained = explain(answer, run.held_out[0], run.training.X, seed=run.training.seed)
    return None if answers_explained is None else Explained(*answers_explained)
