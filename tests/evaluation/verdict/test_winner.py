"""The leader of the race, fitted on all training rows."""

from dataclasses import replace

import pytest
from sklearn.linear_model import Ridge

from margin.evaluation.race._course import Race
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._run import Clock
from margin.evaluation.verdict import _winner
from margin.evaluation.verdict._result import NO_TIME
from margin.evaluation.verdict._winner import refit_winner


def finished(**scores):
    settings = {"setting": {"alpha": 5.0}}
    return Race(
        tuple(Outcome(m, f, s, 1.0, **settings) for m, all_ in scores.items() for f, s in all_)
    )


def twice(score):
    return [(0, score), (1, score)]


@pytest.fixture
def run(line_run, fake):
    return line_run(
        [
            Entrant("good", "x", fake.Shrunk(), fake.Shrunk.card),
            Entrant("next", "x", Ridge()),
        ]
    )


def test_the_best_is_tuned_on_all_rows(run):
    winner = refit_winner(run, finished(good=twice(0.9), next=twice(0.8)))
    assert winner.final.name == winner.results[0].model == "good"
    assert winner.results[0].params == winner.final.setting
    assert winner.final.setting in run.entrant("good").settings(0)
    assert not winner.interrupted


@pytest.mark.parametrize("why", ["interrupted", "slow"])
def test_in_a_hurry_the_usual_setting_is_taken(run, why):
    raced = finished(good=twice(0.9))
    if why == "interrupted":
        raced = replace(raced, interrupted=True)
    else:
        run = replace(run, clock=Clock(1e-6))
    winner = refit_winner(run, raced)
    assert winner.final.setting == {"alpha": 5.0}
    assert winner.interrupted == (why == "interrupted")


def test_a_winner_that_fails_gives_way(line_run, fake):
    run = line_run([Entrant("bad", "x", fake.Failing()), Entrant("next", "x", Ridge())])
    raced = finished(bad=twice(0.9), next=twice(0.8))
    winner = refit_winner(run, raced)
    assert [r.model for r in winner.results] == ["next", "bad"]
    assert winner.results[1].status == "failed: cannot do this"
    assert raced.failed == {}


def test_a_winner_that_takes_too_long_gives_way(line_run, fake, clock, monkeypatch):
    monkeypatch.setattr("margin.evaluation.verdict._final.time_limit", clock.limit)
    slow = Entrant("slow", "x", fake.Costly(unit=100.0, power=0))
    run = line_run([slow, Entrant("next", "x", Ridge())], clock=Clock(60.0, 0.0))
    winner = refit_winner(run, finished(slow=twice(0.9), next=twice(0.8)))
    assert [r.model for r in winner.results] == ["next", "slow"]
    assert winner.results[1].status == NO_TIME
    assert winner.results[1].scores == (0.9, 0.9)
    assert winner.results[1].difference == pytest.approx(-0.1)
    assert clock.now == 60.0


def test_a_fit_that_took_longer_on_fewer_rows_is_not_begun(line_run, fake, clock):
    slow = Entrant("slow", "x", fake.Costly(unit=100.0, power=0))
    run = line_run([slow, Entrant("next", "x", Ridge())], clock=Clock(60.0, 0.0))
    folds = [Outcome("slow", f, 0.9, 100.0, fit_seconds=100.0) for f in (0, 1)]
    raced = replace(
        finished(next=twice(0.8)), outcomes=(*folds, *finished(next=twice(0.8)).outcomes)
    )
    winner = refit_winner(run, raced)
    assert [r.model for r in winner.results] == ["next", "slow"]
    assert clock.now == 0.0


def test_the_first_of_the_leaderboard_is_the_model_that_was_fitted(line_run, fake):
    field = [Entrant("bad", "x", fake.Failing()), Entrant("a", "x", Ridge())]
    field.append(Entrant("b", "x", fake.Shrunk(), fake.Shrunk.card))
    raced = finished(bad=twice(0.9), a=twice(0.8002), b=twice(0.8))
    winner = refit_winner(line_run(field), raced)
    assert winner.final.name == winner.results[0].model


def test_no_model_in_time_is_an_error_that_says_so(line_run, fake, clock):
    run = line_run([Entrant("slow", "x", fake.Costly())], clock=Clock(60.0, 0.0))
    with pytest.raises(ValueError, match="every model failed; slow: no time to fit it on all"):
        refit_winner(run, Race((Outcome("slow", 0, 0.9, 100.0, fit_seconds=100.0),)))


def test_ctrl_c_during_the_search_takes_the_usual_setting(run, monkeypatch):
    whole = _winner.refit

    def stopped(training, entrant, setting=None, **options):
        if setting is None:
            raise KeyboardInterrupt
        return whole(training, entrant, setting, **options)

    monkeypatch.setattr(_winner, "refit", stopped)
    winner = refit_winner(run, finished(good=twice(0.9)))
    assert winner.interrupted
    assert winner.final.setting == {"alpha": 5.0}


def test_nothing_finished_is_an_error(run):
    with pytest.raises(ValueError, match="every model failed; good: oh"):
        refit_winner(run, Race(failed={"good": "oh"}))
    with pytest.raises(ValueError, match="no model was run"):
        refit_winner(run, Race())
    with pytest.raises(KeyboardInterrupt):
        refit_winner(run, Race(interrupted=True))
