import io

import pytest

from margin.core import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    """Stands in for the time module: the tests move the clock themselves."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")


def test_nothing_is_drawn_before_the_delay(clock):
    stream = Terminal()
    with progress.bar("Newton", total=10, delay=2.0, stream=stream) as tick:
        for i in range(10):
            clock.now = 0.19 * i
            tick(i, 1.0)
    assert stream.getvalue() == ""


def test_the_bar_appears_once_the_delay_has_passed(clock):
    stream = Terminal()
    with progress.bar("Newton", total=10, delay=2.0, stream=stream) as tick:
        tick(1, 9.0)
        assert stream.getvalue() == ""
        clock.now = 2.0
        tick(4, 0.123456789)
    drawn = stream.getvalue()
    assert "Newton" in drawn
    assert "4 of at most 10" in drawn
    assert "0.123457" in drawn


def test_a_stream_that_is_no_terminal_stays_silent(clock):
    stream = io.StringIO()
    with progress.bar("Newton", stream=stream) as tick:
        clock.now = 1e6
        tick(1, 1.0)
    assert stream.getvalue() == ""


def test_the_default_stream_is_standard_error_at_the_time_of_the_call(clock, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress.bar("EM", delay=0.0) as tick:
        tick(1, 1.0)
    assert "EM" in stream.getvalue()


def test_the_bar_is_taken_down_when_the_work_is_interrupted(clock):
    stream = Terminal()

    def work():
        with progress.bar("EM", total=3, delay=0.0, stream=stream) as tick:
            tick(1, 1.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    show_cursor = "\x1b[?25h"
    assert show_cursor in stream.getvalue()


def test_an_unknown_total_is_not_printed(clock):
    stream = Terminal()
    with progress.bar("EM", delay=0.0, stream=stream) as tick:
        tick(3, 1.0)
    assert "None" not in stream.getvalue()


def test_the_callback_can_be_called_after_the_end(clock):
    with progress.bar("EM", delay=0.0, stream=Terminal()) as tick:
        tick(1, 1.0)
    tick(2, 0.5)
