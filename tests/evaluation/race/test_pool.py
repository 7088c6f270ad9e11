"""Where turns are run."""

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
    assert workers(-1) == workers(None) or workers(None) <= 8


def test_outcomes_come_in_the_order_of_the_turns_from_everywhere(turns, line_training):
    here, there = (
        [(o.model, o.score) for o in Pool(jobs, line_training.metric).outcomes(turns, 1e9)]
        for jobs in (1, 2)
    )
    assert [name for name, _ in here] == ["m0", "m1", "m2", "m3"]
    assert here == there


def test_little_work_stays_here_unless_workers_are_asked_for(turns, line_training, monkeypatch):
    sent = []
    monkeypatch.setattr(
        Pool, "_in_workers", lambda self, turns: sent.append(len(list(turns))) or iter(())
    )
    monkeypatch.setattr(_pool, "workers", lambda jobs: 2 if jobs is None else jobs)
    assert len(list(Pool(None, line_training.metric).outcomes(turns, 1.0))) == 4
    assert sent == []
    list(Pool(None, line_training.metric).outcomes(turns, 10.0))
    list(Pool(2, line_training.metric).outcomes(turns, 0.0))
    list(Pool(1, line_training.metric).outcomes(turns, 10.0))
    assert sent == [4, 4]


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
