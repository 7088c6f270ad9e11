"""Ctrl-C in a search within a search."""

import threading

import numpy as np
import pytest

from margin.core import FitError, Iterate, Status, Stop, iterate, watch
from margin.core.iteration._nesting import _UNDER_WAY

STOP = Stop("size", 1e-3, 50)


def descent(at=None, *, seen=None):
    """States of a search; ``at`` its fourth, somebody presses Ctrl-C."""
    for n in range(10):
        if n == at:
            raise KeyboardInterrupt
        if seen is not None:
            seen.append(n)
        yield Iterate(float(n), -float(n), 1.0, n)


def pulled(states, **options):
    return iterate(states, STOP, **options)


def pushed(states, **options):
    def search(see):
        for state in states:
            see(state)

    return watch(search, STOP, **options)


DRIVERS = pytest.mark.parametrize("drive", [pulled, pushed])
INNER = pytest.mark.parametrize("inner", [pulled, pushed])


@pytest.fixture(autouse=True)
def nothing_is_left_under_way():
    yield
    assert _UNDER_WAY.runs == []


@DRIVERS
@INNER
def test_the_outer_search_ends_at_its_next_state(drive, inner):
    answers = []

    def outer():
        for n in range(10):
            answers.append(inner(descent(at=4 if n == 2 else None)))
            yield Iterate(n, 1.0 - n, 1.0, n)

    solution = drive(outer())
    assert (solution.status, solution.interrupted) == (Status.MAX_ITER, True)
    assert (solution.n_iter, solution.x) == (2, 2)
    assert solution.message == "interrupted after 2 iterations"
    assert [answer.interrupted for answer in answers] == [False, False, True]
    assert answers[-1].x == 3.0


@DRIVERS
def test_every_search_around_ends(drive):
    def middle(n):
        for m in range(3):
            drive(descent(at=4 if (n, m) == (1, 1) else None))
            yield Iterate(m, -float(m), 1.0, m)

    def outer():
        for n in range(10):
            drive(middle(n))
            yield Iterate(n, -float(n), 1.0, n)

    solution = drive(outer())
    assert (solution.interrupted, solution.n_iter) == (True, 1)


def test_searches_that_start_after_the_signal_end_at_their_first_state():
    seen = []

    def outer():
        pulled(descent(at=4))
        for _ in range(3):
            assert pulled(descent(seen=seen)).interrupted
        yield Iterate(0.0, 0.0, 1.0, 0)
        raise AssertionError("nothing is asked for after the end")

    assert pulled(outer()).interrupted
    assert seen == [0, 0, 0]


def test_a_state_that_ends_the_search_anyway_is_no_interruption():
    def outer():
        pulled(descent(at=4))
        yield Iterate(0.0, 0.0, 0.0, 0)

    solution = pulled(outer())
    assert (solution.status, solution.interrupted) == (Status.CONVERGED, False)


def test_the_next_search_starts_anew():
    def outer():
        pulled(descent(at=4))
        yield Iterate(0.0, 0.0, 1.0, 0)

    assert pulled(outer()).interrupted
    assert pulled(descent()).n_iter == 9
    assert not pulled(descent()).interrupted


def test_a_search_that_completes_an_answer_runs_to_its_end():
    lengths = []

    def finish(state):
        lengths.append(pulled(descent()).n_iter)
        return state

    def outer():
        for n in range(10):
            pulled(descent(at=4 if n == 2 else None), finish=finish)
            yield Iterate(n, -float(n), 1.0, n)

    assert pulled(outer(), finish=finish).interrupted
    assert lengths == [9, 9, 9, 9]


def test_an_interruption_handed_on_ends_as_before():
    def outer():
        for n in range(10):
            if pulled(descent(at=4 if n == 2 else None)).interrupted:
                raise KeyboardInterrupt
            yield Iterate(n, -float(n), 1.0, n)

    solution = pulled(outer())
    assert (solution.interrupted, solution.n_iter) == (True, 1)


@pytest.mark.parametrize("event", [KeyboardInterrupt, FitError, ZeroDivisionError])
def test_a_search_that_raises_is_no_longer_under_way(event):
    def broken():
        raise event
        yield

    def outer():
        with pytest.raises(event):
            pulled(broken())
        yield from descent()

    solution = pulled(outer())
    assert (solution.interrupted, solution.n_iter) == (False, 9)


def test_threads_know_nothing_of_one_another():
    lengths = []

    def outer():
        for n in range(3):
            pulled(descent(at=4 if n == 1 else None))
            if n == 1:
                other = threading.Thread(target=lambda: lengths.append(pulled(descent()).n_iter))
                other.start()
                other.join()
            yield Iterate(np.zeros(1), -float(n), 1.0, n)

    assert pulled(outer()).interrupted
    assert lengths == [9]
