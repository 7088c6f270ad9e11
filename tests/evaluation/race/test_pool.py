"""Where turns are run."""

import joblib
import pytest
from sklearn.linear_model import Ridge

from margin.evaluation.race import _pool
from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._pool import Pool, Turn, workers
from margin.evaluation.race._prepared import prepare


@pytest.fixture
def turns(line_training):
    fold = prepare(line_training, 0)
    return [Turn(Entrant(f"m{i}", "x", Ridge(10.0**i)), fold) for i in range(4)]


def test_workers_are_counted_as_by_joblib():
    assert workers(1) == 1
    assert workers(3) == 3
    assert workers(-1) == joblib.cpu_count()


@pytest.mark.parametrize(
    ("cores", "free", "expected"),
    [(64, None, 64), (64, 2**36, 64), (64, 5 * 2**30, 10), (2, 2**36, 2), (64, 2**20, 1)],
)
def test_left_open_all_cores_work_as_far_as_memory_goes(monkeypatch, cores, free, expected):
    monkeypatch.setattr(_pool.joblib, "cpu_count", lambda **_: cores)
    monkeypatch.setattr(_pool.memory, "available", lambda: free)
    assert workers(None) == expected


@pytest.fixture
def two_ready(line_training):
    """Two workers that have started."""
    pool = Pool(2, line_training.metric)
    pool.prepare([], 1e9)
    list(pool._starting)
    assert pool._workers_ready
    return pool


def test_outcomes_come_in_the_order_of_the_turns_from_everywhere(turns, line_training, two_ready):
    here, there = (
        [(o.model, o.score) for o in pool.outcomes(turns, 1e9)]
        for pool in (Pool(1, line_training.metric), two_ready)
    )
    assert [name for name, _ in here] == ["m0", "m1", "m2", "m3"]
    assert here == there


@pytest.mark.parametrize(
    ("jobs", "ahead", "starts"), [(None, 1.0, False), (None, 10.0, True), (2, 0.0, True)]
)
def test_little_work_stays_here_unless_workers_are_asked_for(
    turns, line_training, monkeypatch, jobs, ahead, starts
):
    monkeypatch.setattr(_pool, "workers", lambda jobs: 2 if jobs is None else jobs)
    pool = Pool(jobs, line_training.metric)
    assert len(list(pool.outcomes(turns, ahead))) == 4
    assert (pool._starter is not None) == starts
    pool.close()


def test_while_workers_start_turns_are_run_here(turns, line_training, monkeypatch):
    sent, ready = [], iter([False, False, True])
    monkeypatch.setattr(Pool, "_workers_ready", property(lambda self: next(ready)))
    monkeypatch.setattr(Pool, "_in_workers", lambda self, turns: sent.extend(turns) or iter(()))
    pool = Pool(2, line_training.metric)
    assert [o.model for o in pool.outcomes(turns, 1e9)] == ["m0", "m1"]
    assert [turn.entrant.name for turn in sent] == ["m2", "m3"]
    pool.close()


def test_a_turn_that_begins_too_late_is_not_run(line_training, fake, clock):
    clock.now = 5.0
    entrant = Entrant("m", "x", fake.Costly())
    turn = Turn(entrant, prepare(line_training, 0), ends=4.0)
    assert turn.run(line_training.metric).stopped
    assert fake.Costly.fits == []


def test_a_turn_ends_at_its_limit_or_with_the_clock(line_training, fake, clock):
    entrant = Entrant("m", "x", fake.Costly(unit=10.0, power=0))
    fold = prepare(line_training, 0)
    assert Turn(entrant, fold, seconds=3.0, ends=7.0).run(line_training.metric).seconds == 3.0
    assert Turn(entrant, fold, seconds=9.0, ends=7.0).run(line_training.metric).seconds == 4.0
    assert clock.now == 7.0
