"""Work in turns: the same answers for any number of jobs."""

import threading

import joblib
import pytest

from margin.core._turns import by_threads


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_answers_come_in_order(n_jobs):
    assert by_threads(divmod, [(7, k) for k in range(1, 6)], n_jobs) == [
        divmod(7, k) for k in range(1, 6)
    ]


def test_one_job_stays_in_the_thread_that_asks():
    own = threading.get_ident()
    assert by_threads(threading.get_ident, [()] * 3, None) == [own] * 3


def test_a_context_of_joblib_is_followed():
    own = threading.get_ident()
    with joblib.parallel_config("threading", n_jobs=2):
        assert own not in by_threads(threading.get_ident, [()] * 3, None)


def test_nothing_to_do():
    assert by_threads(pow, [], 2) == []
