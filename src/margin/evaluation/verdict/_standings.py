"""From the outcomes of all folds to a leaderboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from margin.evaluation.race._course import Race
from margin.evaluation.race._entrants import POWER, Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._scoreboard import adjusted
from margin.evaluation.table._folds import one_repeat
from margin.evaluation.table._training import Training
from margin.evaluation.verdict._paired import PairedTest, corrected_se, fold_test
from margin.evaluation.verdict._proven import proven
from margin.evaluation.verdict._result import NO_TIME, ModelResult

_MENDED = ("converged", "ok")
# Scores are shown with three decimals: what agrees in them is a tie to every reader.
_TIE = 0.0005


def standings(
    training: Training, entrants: Sequence[Entrant], race: Race, late: Collection[str] = ()
) -> list[ModelResult]:
    """Leaderboard, best first, each model over the folds that it finished.

    Models that left the race have fewer folds than others: their score is adjusted for the
    difficulty of the folds they missed (:func:`~margin.evaluation.race._scoreboard.adjusted`), and
    they stand where it is proven (:func:`~margin.evaluation.verdict._proven.proven`).
    Models that failed come last, with a score of NaN; models without a finished fold are absent.
    The first entry is the winner: the best score, a baseline if no model exceeds it. Of
    models that share the best score, as far as it is shown, one with probabilities comes first,
    then the simpler and faster by its card.

    Parameters
    ----------
    training : Training
        Rows and folds.
    entrants : sequence of Entrant
        Models that took part.
    race : Race
        What they achieved.
    late : collection of str
        Models that cannot win, because there was no time to fit them on all training rows. They
        keep their folds; those that led stand next to the winner.
    """
    finished = {e.name: _by_fold(race, e.name) for e in entrants if e.name not in race.failed}
    finished = {name: folds for name, folds in finished.items() if folds}
    scores = {name: {f: o.score for f, o in folds.items()} for name, folds in finished.items()}
    means = adjusted(scores)
    standing = proven(
        means,
        {name: {f: o.blocks for f, o in folds.items()} for name, folds in finished.items()},
        enough=len(one_repeat(training.folds)),
        test_share=training.test_share,
        baselines=[e.name for e in entrants if e.is_baseline],
    )
    ranked = [
        _result(e, finished[e.name], means[e.name], _sizes(training, finished[e.name]))
        for e in entrants
        if e.name in finished
    ]
    ranked.sort(key=lambda r: (-standing[r.model], not r.is_baseline, r.model))
    able = [r for r in ranked if r.model not in late]
    able = _ties_settled(able, standing, {e.name: e for e in entrants})
    # only models that led were tried, so the late ones are better than all but the winner
    slow = [replace(r, status=NO_TIME) for r in ranked if r.model in late]
    ranked = [*able[:1], *slow, *able[1:]]
    if ranked:
        ranked = [_against(ranked[0], _doubted(ranked[0], r), training) for r in ranked]
    return ranked + [_failure(e, race) for e in entrants if e.name in race.failed]


def _ties_settled(
    ranked: list[ModelResult], standing: Mapping[str, float], field: Mapping[str, Entrant]
) -> list[ModelResult]:
    """The ranking with the models that tie for the first place in the order of preference."""
    if not ranked or ranked[0].is_baseline:
        return ranked
    least = standing[ranked[0].model] - _TIE
    tied = [r for r in ranked if not r.is_baseline and standing[r.model] > least]
    tied.sort(key=lambda r: _preference(field[r.model]))
    return tied + [r for r in ranked if r not in tied]


def _preference(entrant: Entrant) -> tuple[bool, int, int, str]:
    """What makes a model the better one of two that score the same, smallest first.

    Measured seconds have no say: another run must not have another winner.
    """
    model, card = entrant.estimator, entrant.card
    sure = hasattr(model, "predict_proba") or hasattr(model, "predict_dist")
    power = POWER[card.cost] if card else len(POWER)
    return not sure, power, len(card.search_space) if card else 0, entrant.name


def paired_test(first: ModelResult, second: ModelResult, training: Training) -> PairedTest:
    """Corrected paired test of two models over the folds that both finished."""
    common = sorted(set(first.folds) & set(second.folds))
    one, other = (
        [result.scores[result.folds.index(fold)] for fold in common] for result in (first, second)
    )
    return fold_test(one, other, **_sizes(training, common))


def _by_fold(race: Race, name: str) -> dict[int, Outcome]:
    return {o.fold: o for o in race.outcomes if o.model == name and not o.error}


def _sizes(training: Training, folds: Iterable[int]) -> dict[str, int]:
    sizes = [(len(training.folds[f][0]), len(training.folds[f][1])) for f in folds]
    n_train, n_test = np.mean(sizes, axis=0) if sizes else (1, 1)
    return {"n_train": round(n_train), "n_test": round(n_test)}


def _result(
    entrant: Entrant, finished: dict[int, Outcome], score: float, sizes: dict[str, int]
) -> ModelResult:
    folds = tuple(sorted(finished))
    outcomes = [finished[fold] for fold in folds]
    scores = tuple(o.score for o in outcomes)
    return ModelResult(
        model=entrant.name,
        family=entrant.family,
        score=score,
        score_se=corrected_se(scores, **sizes),
        scores=scores,
        fit_seconds=float(np.mean([o.fit_seconds for o in outcomes])),
        predict_seconds=float(np.mean([o.predict_seconds for o in outcomes])),
        status=_status([o.status for o in outcomes]),
        params=usual_setting([o.setting for o in outcomes]),
        is_baseline=entrant.is_baseline,
        note=entrant.note,
        fit_report=outcomes[-1].report,
        folds=folds,
    )


def _status(states: list[str]) -> str:
    """The status shared by all folds, or the worst with the number of folds it befell."""
    bad = Counter(state for state in states if state not in _MENDED)
    if not bad:
        return states[0]
    state, count = bad.most_common(1)[0]
    return state if count == len(states) else f"{state} in {count} of {len(states)} folds"


def usual_setting(settings: list[dict[str, Any]]) -> dict[str, Any]:
    """The setting chosen most often, the first of equals.

    Examples
    --------
    >>> usual_setting([{"alpha": 1.0}, {"alpha": 0.1}, {"alpha": 0.1}])
    {'alpha': 0.1}
    """
    keys = [repr(sorted(setting.items())) for setting in settings]
    return dict(settings[keys.index(Counter(keys).most_common(1)[0][0])])


def _against(best: ModelResult, result: ModelResult, training: Training) -> ModelResult:
    if result is best:
        return result
    test = paired_test(best, result, training)
    return replace(result, difference=test.difference, difference_se=test.se, p_value=test.p_value)


def _doubted(best: ModelResult, result: ModelResult) -> ModelResult:
    """The result with a word on why its score does not lead, where it is the higher one."""
    if result.status == NO_TIME or not result.score > best.score:
        return result
    folds = "1 fold proves" if len(result.folds) == 1 else f"{len(result.folds)} folds prove"
    why = f"{folds} too little to lead"
    return replace(result, note=f"{result.note}; {why}" if result.note else why)


def _failure(entrant: Entrant, race: Race) -> ModelResult:
    outcomes = _by_fold(race, entrant.name)
    nan = float("nan")
    return ModelResult(
        model=entrant.name,
        family=entrant.family,
        score=nan,
        score_se=nan,
        scores=tuple(outcomes[fold].score for fold in sorted(outcomes)),
        folds=tuple(sorted(outcomes)),
        fit_seconds=nan,
        predict_seconds=nan,
        status=f"failed: {race.failed[entrant.name]}",
        difference=nan,
        difference_se=nan,
        is_baseline=entrant.is_baseline,
        note=entrant.note,
    )
