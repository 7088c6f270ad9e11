"""One comparison as a value."""

import time
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from margin.evaluation.race._entrants import Entrant
from margin.evaluation.race._run import Clock


def test_test_rows_and_entrants_are_found(line_run, line):
    run = line_run([Entrant("a", "x", Ridge()), Entrant("b", "x", Ridge(2.0))])
    X, y = run.held_out
    assert X.index.tolist() == list(range(90, 120))
    np.testing.assert_array_equal(y, line["y"].to_numpy()[90:])
    assert run.entrant("b").estimator.alpha == 2.0


def test_a_run_is_only_read(line_run):
    with pytest.raises(FrozenInstanceError):
        line_run([]).jobs = 3


def test_the_parts_of_a_budget(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: 140.0)
    clock = Clock(100.0, started=100.0)
    assert (clock.ends, clock.elapsed, clock.report_begins) == (200.0, 40.0, 197.0)
    assert (clock.left(), clock.left(15.0), clock.half) == (60.0, 45.0, 28.5)
    assert clock.limited
    assert not Clock().limited
    assert Clock().report_begins == Clock().left() == np.inf


def test_a_needed_fit_may_end_a_little_late(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: 99.0)
    assert Clock(100.0, 0.0).patience == 5.0
    assert Clock(200.0, 0.0).patience == 101.0
    assert Clock(1e-6, 0.0).patience == 0.5
