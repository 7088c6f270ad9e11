"""The leaderboard."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from margin.core import Card
from margin.evaluation import corrected_paired_test, corrected_se
from margin.evaluation.race._course import Race
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.verdict._result import NO_TIME
from margin.evaluation.verdict._standings import standings, usual_setting


def outcomes(name, scores, **more):
    return tuple(
        Outcome(name, fold, score, 1.0, 0.5, 0.25, "converged", f"report {fold}", **more)
        for fold, score in enumerate(scores)
    )


def board(training, race, *baselines):
    names = dict.fromkeys([o.model for o in race.outcomes] + list(race.failed))
    field = [Entrant(n, "x", Ridge(), is_baseline=n in baselines, note=f"note {n}") for n in names]
    return standings(training, field, race)


def test_best_first_with_difference_and_test(line_training):
    good, bad = [0.9, 0.8, 0.85, 0.9, 0.8], [0.7, 0.75, 0.8, 0.6, 0.7]
    race = Race(outcomes("bad", bad) + outcomes("good", good))
    first, second = board(line_training, race)
    sizes = {"n_train": 72, "n_test": 18}
    assert (first.model, first.difference) == ("good", 0.0)
    assert np.isnan(first.p_value)
    assert first.score == pytest.approx(np.mean(good))
    assert first.score_se == corrected_se(good, **sizes)
    test = corrected_paired_test(good, bad, **sizes)
    assert (second.difference, second.difference_se, second.p_value) == (
        test.difference,
        test.se,
        test.p_value,
    )
    assert (second.fit_seconds, second.predict_seconds) == (0.5, 0.25)
    assert (second.fit_report, second.note) == ("report 4", "note bad")


def test_a_missed_fold_is_neither_reward_nor_punishment(line_training):
    race = Race(outcomes("ahead", [0.5, 0.5, 1.0]) + outcomes("behind", [0.6, 0.6]))
    first, second = board(line_training, race)
    assert (first.model, second.model) == ("behind", "ahead")
    assert (first.folds, second.folds) == ((0, 1), (0, 1, 2))
    assert first.score == pytest.approx(np.mean([0.5, 0.5, 1.0]) + 0.1)
    assert second.scores == (0.5, 0.5, 1.0)
    assert second.difference == pytest.approx(0.1)


def test_a_baseline_wins_unless_beaten(line_training):
    race = Race(outcomes("model", [0.5, 0.5]) + outcomes("base", [0.5, 0.5]))
    assert board(line_training, race, "base")[0].model == "base"


@pytest.mark.parametrize("n_folds", [1, 2, 4])
def test_no_p_value_from_few_folds(line_training, n_folds):
    race = Race(outcomes("a", [0.9, 0.91, 0.92, 0.93][:n_folds]) + outcomes("b", [0.1] * n_folds))
    second = board(line_training, race)[1]
    assert np.isnan(second.p_value)
    assert second.difference == pytest.approx(np.mean([0.8, 0.81, 0.82, 0.83][:n_folds]))


def test_a_tie_goes_to_probabilities_then_to_the_simpler(class_training):
    cards = {
        "labels only": (LinearSVC(), Card(tasks=("classification",))),
        "dear": (LogisticRegression(), Card(tasks=("classification",), cost="cubic")),
        "tuned": (LogisticRegression(), Card(tasks=("classification",), search_space={"C": [1]})),
        "simple": (LogisticRegression(), Card(tasks=("classification",))),
        "worse": (LogisticRegression(), Card(tasks=("classification",))),
    }
    field = [Entrant(name, "x", model, card) for name, (model, card) in cards.items()]
    scores = {"labels only": 0.9004, "dear": 0.9, "tuned": 0.9, "simple": 0.9, "worse": 0.89}
    race = Race(tuple(o for n, s in scores.items() for o in outcomes(n, [s] * 5)))
    order = [r.model for r in standings(class_training, field, race)]
    assert order == ["simple", "tuned", "dear", "labels only", "worse"]


def test_failures_come_last(line_training):
    race = Race(outcomes("broken", [0.9]) + outcomes("fine", [0.1, 0.2]), failed={"broken": "oh"})
    fine, broken = board(line_training, race)
    assert fine.scores == (0.1, 0.2)
    assert (broken.model, broken.status, broken.scores) == ("broken", "failed: oh", (0.9,))
    assert np.isnan([broken.score, broken.score_se, broken.difference]).all()


def test_leaders_that_are_late_keep_their_folds_behind_the_winner(line_training):
    race = Race(outcomes("slow", [0.9, 0.92]) + outcomes("able", [0.8, 0.8]) + outcomes("c", [0.7]))
    field = [Entrant(name, "x", Ridge()) for name in ("slow", "able", "c")]
    first, late, last = standings(line_training, field, race, {"slow"})
    assert (first.model, late.model, last.model) == ("able", "slow", "c")
    assert (late.status, late.scores) == (NO_TIME, (0.9, 0.92))
    assert late.score == pytest.approx(0.91)
    assert late.difference == pytest.approx(-0.11)
    assert first.difference == 0.0


def test_models_without_a_finished_fold_are_absent(line_training):
    field = [Entrant(name, "x", Ridge()) for name in ("ran", "waited")]
    ranked = standings(line_training, field, Race(outcomes("ran", [0.5])))
    assert [r.model for r in ranked] == ["ran"]
    assert standings(line_training, field, Race()) == []


def test_trouble_in_some_folds_is_counted(line_training):
    some = [Outcome("m", f, 0.5, status="max_iter" if f < 2 else "converged") for f in range(3)]
    always = [Outcome("n", f, 0.5, status="stalled") for f in range(3)]
    status = {r.model: r.status for r in board(line_training, Race((*some, *always)))}
    assert status == {"m": "max_iter in 2 of 3 folds", "n": "stalled"}


def test_the_setting_chosen_most_often_is_shown(line_training):
    settings = [{"a": 1}, {"a": 2}, {"a": 2}]
    race = Race(tuple(Outcome("m", f, 0.5, setting=s) for f, s in enumerate(settings)))
    assert board(line_training, race)[0].params == {"a": 2}
    assert usual_setting([{"a": 3}, {"a": 1}]) == {"a": 3}


def noisy(name, level, folds, seed, spread=0.1):
    """Outcomes with the scores of ten blocks of rows each."""
    rng = np.random.default_rng(seed)
    parts = [level + spread * rng.normal(size=10) for _ in range(folds)]
    return tuple(
        Outcome(name, f, float(np.mean(b)), status="converged", blocks=tuple(b))
        for f, b in enumerate(parts)
    )


def test_luck_over_two_folds_does_not_lead_but_a_real_advantage_does(line_training):
    sure = noisy("sure", 0.70, 5, seed=1)
    lucky, better = noisy("few", 0.71, 2, seed=2), noisy("few", 0.9, 2, seed=3)
    first, second = board(line_training, Race(sure + lucky))
    assert (first.model, second.model) == ("sure", "few")
    assert second.score > first.score
    assert second.difference < 0
    assert second.note == "note few; 2 folds prove too little to lead"
    first, second = board(line_training, Race(sure + better))
    assert (first.model, first.note, second.note) == ("few", "note few", "note sure")


def test_preferences_among_ties_do_not_lift_what_is_not_proven(class_training):
    field = [
        Entrant("sure", "x", LinearSVC(), Card(tasks=("classification",))),
        Entrant("few", "x", LogisticRegression(), Card(tasks=("classification",))),
    ]
    race = Race(noisy("sure", 0.70, 5, seed=1) + noisy("few", 0.70, 1, seed=2))
    assert [r.model for r in standings(class_training, field, race)] == ["sure", "few"]
