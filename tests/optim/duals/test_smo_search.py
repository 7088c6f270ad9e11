"""Which variables are chosen next."""

from dataclasses import replace

import numpy as np
from numpy.testing import assert_array_equal
from smo_problems import Rows, blobs

from margin.core import Status, Stop, iterate
from margin.optim import SMO, BoxDual, GramMatrix, optimality
from margin.optim.duals import _smo_search
from margin.optim.duals._smo_multipliers import BoxMultipliers
from margin.optim.duals._smo_search import WorkingSetSearch, _smallest

RULES = Stop("violation", 1e-3, 10**7, keep="last", columns=("violation",))


def search_of(n=80, size=20, group=None, **changes):
    K, y = blobs(n)
    problem = BoxDual(Rows(K), y, np.minimum(0, y), np.maximum(0, y), np.zeros(n), group=group)
    settings = {"tol": 1e-3, "max_iter": None, "shrinking": True, **changes}
    return y, WorkingSetSearch(BoxMultipliers(problem, 1e6, size, 1), size, **settings)


def test_smallest_finite_values():
    values = np.array([3.0, np.inf, 1.0, 2.0, np.inf])
    assert sorted(_smallest(values, 2)) == [2, 3]
    assert sorted(_smallest(values, 4)) == [0, 2, 3]
    assert sorted(_smallest(values, 9)) == [0, 2, 3]


def test_working_set_has_both_sides_and_half_of_the_last():
    y, search = search_of()
    first = search._choose(*search.multipliers.residuals())
    assert len(first) == len(set(first)) == 20
    assert (y[first] > 0).sum() == (y[first] < 0).sum() == 10
    second = search._choose(*search.multipliers.residuals())
    assert len(set(first) & set(second)) >= 10
    assert len(set(second)) == 20


def test_groups_come_one_after_the_other():
    group = np.arange(80) % 2
    _, search = search_of(group=group)
    chosen = search._choose(*search.multipliers.residuals())
    assert_array_equal(group[chosen], np.sort(group[chosen]))


def test_small_working_sets_reach_the_tolerance_too():
    for size in (4, 20, 80):
        _, search = search_of(size=size)
        solution = iterate(search.states(), RULES, finish=search.finish)
        assert solution.status is Status.CONVERGED
        assert solution.message == ""
        now = search.multipliers.extremes(*search.multipliers.residuals())
        assert now.violation <= 1e-3


def test_limit():
    _, search = search_of(max_iter=3)
    rules = replace(RULES, max_iter=search.limit)
    solution = iterate(search.states(), rules, finish=search.finish)
    assert solution.status is Status.MAX_ITER
    assert "max_iter=3" in solution.message
    assert search.steps == solution.n_iter == 3


def test_rounding_that_walks_in_a_circle_comes_to_rest():
    # Entries of 5e16 know nothing below 8: the gains of the pairs never cease to be positive.
    K = np.array(
        [
            [5.0000000434802616e16, 5.000000032273619e16, 5.000000036126443e16],
            [5.000000032273619e16, 5.000000021066979e16, 5.000000024919802e16],
            [5.000000036126443e16, 5.000000024919802e16, 5.000000028772626e16],
        ]
    )
    y = np.array([1.0, 1.0, -1.0])
    problem = BoxDual(GramMatrix(K), y, np.minimum(0, y), np.maximum(0, y), 0 * y)
    solution = SMO().run(problem)
    assert solution.status is Status.STALLED
    assert solution.n_iter < 20_000


def test_polishing_in_vain_is_tried_ever_more_rarely(monkeypatch):
    _, search = search_of(size=80)
    tried = []

    def vain(problem, beta, scores, *, enough):
        tried.append(enough)
        return beta, scores, optimality(problem, beta, scores)

    monkeypatch.setattr(_smo_search, "polish", vain)
    values = {search._polish() for _ in range(200)}
    assert 3 < len(tried) < 10
    assert len(values) == 1, "what stands where it stood is worth what it was"
