"""Ctrl-C during a race."""

import contextlib
import signal
import threading
import time

import pytest

from margin.evaluation.race._interrupts import (
    UntilInterrupted,
    deaf_to_interrupts,
    ignore_interrupts,
    watched_interrupts,
)


@pytest.fixture(autouse=True)
def interruptible():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_work_stops_with_the_interruption():
    done = []

    def stopped():
        raise KeyboardInterrupt

    optional = UntilInterrupted()
    assert optional(lambda: done.append(1) or 7) == 7
    assert optional(stopped) is None
    assert optional.interrupted
    assert optional(lambda: done.append(2)) is None
    assert done == [1]


def test_the_reason_is_that_of_the_last_work():
    optional = UntilInterrupted(ends=time.perf_counter() + 0.05)
    assert optional(lambda: time.sleep(5.0) or 1) is None
    assert "budget was spent" in optional.why
    assert optional(lambda: 1) is None
    assert "budget was spent" in optional.why
    fresh = UntilInterrupted()
    assert fresh(lambda: 1) == 1
    assert fresh.why == ""
    assert UntilInterrupted(True)(lambda: 1) is None


def test_other_errors_are_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        UntilInterrupted()(lambda: 1 / 0)


def test_an_interruption_that_is_caught_is_remembered():
    with watched_interrupts() as seen:
        assert not seen.is_set()
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert seen.is_set()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_deaf_only_for_a_while():
    with deaf_to_interrupts():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ignored_from_now_on_but_only_by_the_main_thread():
    other = threading.Thread(target=ignore_interrupts)
    other.start()
    other.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ignore_interrupts()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
