"""What all rounds of a race share."""

import threading

import pytest
from sklearn.linear_model import Ridge

from margin.evaluation.race import _course
from margin.evaluation.race._course import Course, Race, in_words
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._fold import Outcome
from margin.evaluation.race._prepared import prepare
from margin.evaluation.race._run import Clock


@pytest.fixture
def course(line_run, fake):
    def make(budget=float("inf"), **units):
        field = [Entrant("base", "x", Ridge(), is_baseline=True)]
        field += [Entrant(n, "x", fake.Costly(unit=u, power=0)) for n, u in units.items()]
        return Course(line_run(field, jobs=1, clock=Clock(budget, 0.0)), threading.Event())

    return make


def test_turns_are_run_in_their_order(course, clock):
    played = course(a=1.0, b=2.0)
    played.play([("b", 0), ("a", 0), ("b", 3)])
    assert [(o.model, o.fold) for o in played.result(interrupted=False).outcomes] == [
        ("a", 0),
        ("b", 0),
        ("b", 3),
    ]
    assert clock.now == 5.0


def test_a_turn_that_would_end_too_late_is_not_begun(course, clock):
    played = course(100.0, a=30.0)
    played.play([("a", 0), ("a", 1), ("a", 2)], {"a": 30.0})
    assert len(played.board.folds("a")) < 3
    assert played.out_of_time
    assert clock.now <= 60.0


def test_a_fit_stopped_by_the_clock_does_not_blame_the_model(course, clock):
    played = course(100.0, a=1e6)
    played.play([("a", 0)], limits={"a": 1e6})
    assert played.stopped == {}
    assert played.out_of_time
    played = course(1e9, a=1e6)
    played.play([("a", 0)], limits={"a": 20.0})
    assert played.stopped == {"a": "stopped after 20 s on 72 rows"}


def test_no_turn_begins_after_its_round(course, clock):
    played = course(1e6, a=10.0)
    played.play([("a", 0), ("a", 1), ("a", 2)], until=15.0)
    assert len(played.board.folds("a")) == 2


def test_the_reserve_follows_the_leader(course, clock):
    played = course(100.0, a=2.0)
    before = played.kept()
    played.play([("a", 0)])
    assert played.kept() > before
    assert course(a=2.0).kept() == 0.0


def test_no_fold_is_given_whose_model_could_not_be_fitted_again(course, clock):
    # the quick leader would leave 83 s: enough for the fold of the slow one, not for its refit
    played = course(100.0, quick=1.0, slow=50.0)
    played.play([("quick", 0)])
    played.expected_fit["slow"] = 50.0
    played.play([("slow", 0)], {"slow": 50.0})
    assert not played.board.folds("slow")
    assert played.out_of_time
    assert clock.now == 1.0


def test_a_model_that_ran_keeps_the_time_of_its_own_refit(course, clock):
    played = course(100.0, quick=1.0, slow=20.0)
    played.play([("quick", 0), *(("slow", f) for f in range(5))], {"quick": 1.0, "slow": 20.0})
    assert len(played.board.folds("slow")) == 3
    assert clock.now + 1.5 * 20.0 <= 95.0


def test_matrices_of_the_last_folds_are_kept(course, monkeypatch):
    made = []
    monkeypatch.setattr(
        _course, "prepare", lambda training, k, tuned: made.append(k) or prepare(training, k)
    )
    played = course(a=0.0)
    for number in (0, 1, 0, 1, 2, 0):
        played.fold(number)
    assert made == [0, 1, 2, 0]


def test_those_who_left_are_not_in(course):
    played = course(a=0.0, b=0.0, c=0.0)
    played.left["a"], played.failed["b"] = "behind", "oh"
    assert played.models == ["c"]


def test_the_longest_fold():
    raced = Race((Outcome("a", 0, seconds=1.0), Outcome("a", 1, seconds=3.0), Outcome("b", 0)))
    assert (raced.longest("a"), raced.longest("c")) == (3.0, 0.0)


def test_times_in_words():
    assert in_words(0.123) == "0.1 s"
    assert in_words(99.6) == "100 s"
