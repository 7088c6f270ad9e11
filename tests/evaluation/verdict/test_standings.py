"""The leaderboard."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from margin.evaluation import corrected_paired_test, corrected_se
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._race import Race
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
    good, bad = [0.9, 0.8, 0.85, 0.9], [0.7, 0.75, 0.8, 0.6]
    race = Race(outcomes("bad", bad) + outcomes("good", good))
    first, second = board(line_training, race)
    sizes = {"n_train": 72, "n_test": 18}
    assert (first.model, first.difference, first.p_value) == ("good", 0.0, 1.0)
    assert first.score == pytest.approx(np.mean(good))
    assert first.score_se == corrected_se(good, **sizes)
    test = corrected_paired_test(good, bad, **sizes)
    assert (second.difference, second.difference_se, second.p_value) == (
        test.difference,
        test.se,
        test.p_value,
    )
    assert (second.fit_seconds, second.predict_seconds) == (0.5, 0.25)
    assert (second.fit_report, second.note) == ("report 3", "note bad")


def test_only_folds_that_all_finished_count(line_training):
    race = Race(outcomes("ahead", [0.5, 0.5, 1.0]) + outcomes("behind", [0.6, 0.6]))
    first, second = board(line_training, race)
    assert (first.model, second.model) == ("behind", "ahead")
    assert second.scores == (0.5, 0.5)


def test_a_baseline_wins_unless_beaten(line_training):
    race = Race(outcomes("model", [0.5, 0.5]) + outcomes("base", [0.5, 0.5]))
    assert board(line_training, race, "base")[0].model == "base"


def test_failures_come_last(line_training):
    race = Race(outcomes("broken", [0.9]) + outcomes("fine", [0.1, 0.2]), failed={"broken": "oh"})
    fine, broken = board(line_training, race)
    assert fine.scores == (0.1, 0.2)
    assert (broken.model, broken.status, broken.scores) == ("broken", "failed: oh", (0.9,))
    assert np.isnan([broken.score, broken.score_se, broken.difference]).all()


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
