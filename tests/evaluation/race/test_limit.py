"""Limits of time: the alarm is rung by hand, nothing waits."""

import contextlib
import signal
import threading

import numpy as np
import pytest

from margin.evaluation.race._limit import OverTimeError, can_limit, time_limit
from margin.svm import SVC

alarms = pytest.mark.skipif(not can_limit(), reason="no interval timers here")


@alarms
def test_the_alarm_stops_the_block_and_is_put_back():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OverTimeError), time_limit(60.0):
        signal.raise_signal(signal.SIGALRM)
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@alarms
def test_a_loop_that_would_never_end_is_stopped():
    with pytest.raises(OverTimeError), time_limit(0.01):
        any(iter(lambda: 0, 1))


@alarms
def test_compiled_loops_are_stopped_too():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 20)), rng.integers(0, 2, 20_000)
    with pytest.raises(OverTimeError), time_limit(0.2):
        SVC(C=1e6, gamma=0.1, max_iter=-1, tol=1e-12).fit(X, y)


@alarms
def test_an_exception_is_no_way_around_the_limit():
    with pytest.raises(OverTimeError), time_limit(60.0), contextlib.suppress(Exception):
        signal.raise_signal(signal.SIGALRM)


def test_without_a_limit_nothing_is_touched():
    with time_limit(float("inf")):
        assert not hasattr(signal, "getitimer") or signal.getitimer(signal.ITIMER_REAL)[0] == 0.0


def test_in_another_thread_the_block_runs_without_a_limit():
    ran = []

    def work():
        with time_limit(1e-3):
            ran.append(can_limit())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == [False]
