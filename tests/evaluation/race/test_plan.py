"""Sums over seconds: who may run, how thoroughly, until when."""

import pytest

from margin.evaluation.race._plan import levels, report_seconds, reserve, runners


def flat(**seconds):
    return {name: {0: cost, 9: cost} for name, cost in seconds.items()}


def test_a_pool_without_end_tunes_everything():
    costs = {"a": {0: 1.0, 4: 5.0, 9: 10.0}, "b": {0: 100.0, 4: 500.0, 9: 1000.0}}
    assert levels(costs, float("inf")) == {"a": 9, "b": 9}


def test_what_the_cheap_leave_goes_to_the_dear():
    # Equal shares of 10 would not do for the last, what the first two leave does.
    assert levels(flat(a=1.0, b=1.0, c=25.0), 30.0) == {"a": 9, "b": 9, "c": 9}


def test_a_slow_model_starves_nobody():
    many = flat(slow=50.0, **{f"m{i}": 2.0 for i in range(10)})
    chosen = levels(many, 25.0)
    assert set(chosen) == {f"m{i}" for i in range(10)}


def test_several_folds_cost_several_times_as_much():
    costs = {"a": {0: 1.0, 9: 4.0}}
    assert levels(costs, 19.0, folds=5) == {"a": 0}
    assert levels(costs, 20.0, folds=5) == {"a": 9}
    assert levels(costs, 4.0, folds=5) == {}


def test_the_plan_never_exceeds_the_pool():
    costs = {f"m{i}": {0: 0.3 * i, 4: 1.1 * i, 9: 2.0 * i} for i in range(1, 12)}
    for pool in (1.0, 7.0, 30.0, 90.0):
        chosen = levels(costs, pool)
        assert sum(costs[n][level] for n, level in chosen.items()) <= pool + 1e-9


def test_all_run_on_when_there_is_time_for_all():
    names = list("abcde")
    assert sorted(runners(names, dict.fromkeys(names, 1.0), dict.fromkeys(names, 4), 20.0)) == names


def test_the_best_that_fit_run_on():
    names = list("abcde")
    chosen = runners(names, dict.fromkeys(names, 1.0), dict.fromkeys(names, 4), 16.0)
    assert sorted(chosen) == list("abcd")


def test_a_slow_leader_comes_after_the_quick_ones():
    seconds = {"slow": 9.0, "b": 1.0, "c": 1.0, "d": 1.0}
    assert runners(list(seconds), seconds, dict.fromkeys(seconds, 4), 20.0) == ["b", "c", "slow"]
    assert runners(list(seconds), seconds, dict.fromkeys(seconds, 4), 16.0) == ["b", "c", "d"]


def test_a_dear_follower_is_passed_over_for_a_cheap_one():
    seconds = {"a": 1.0, "b": 1.0, "c": 1.0, "dear": 9.0, "cheap": 1.0}
    chosen = runners(list(seconds), seconds, dict.fromkeys(seconds, 4), 20.0)
    assert chosen == ["a", "b", "c", "cheap"]


def test_the_reserve_grows_with_the_leader_within_bounds():
    assert reserve(60.0) < reserve(60.0, fit=1.0, tuned=5.0) < reserve(60.0, fit=3.0, tuned=5.0)
    assert reserve(60.0, tuned=1e9) == pytest.approx(27.0)
    # but a leader that cannot be fitted again cannot win
    assert reserve(60.0, fit=20.0) == pytest.approx(33.0)
    assert reserve(60.0, fit=1.0, held_out=5) - reserve(60.0, fit=1.0) > 0.0
    assert report_seconds(1e9) == 3.0


def test_the_folds_of_the_leaders_come_before_the_learning_curve():
    needs = {"fit": 1.0, "tuned": 8.0, "held_out": 5}
    early, late = (reserve(100.0, settled=settled, **needs) for settled in (False, True))
    # a fit on all rows and five held-out predictions, against the search and the curve as well
    assert late - early == pytest.approx(8.0 + 5.2 + (5 + 6.5) - 12.0)
    assert early == reserve(100.0)
