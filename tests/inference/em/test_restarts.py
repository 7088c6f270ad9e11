"""Several starts."""

import numpy as np
import pytest

from margin.core import FitError, Solution, Status
from margin.inference.em._restarts import best_start


def solution(objective, status=Status.CONVERGED, **options):
    return Solution(np.array([objective]), status, 1, objective, **options)


def test_lowest_objective_and_all_bounds():
    best = best_start(solution, [3.0, 1.0, 2.0])
    assert best.objective == 1.0
    assert best.extras["bounds"].tolist() == [-3.0, -1.0, -2.0]
    assert best.status is Status.CONVERGED


def test_a_failed_start_is_passed_over():
    def climb(start):
        if start < 0:
            raise FitError(f"start {start}")
        return solution(start, Status.FAILED if start == 0 else Status.MAX_ITER)

    best = best_start(climb, [-1.0, 0.0, 5.0, -2.0])
    assert best.objective == 5.0
    assert best.status is Status.MAX_ITER
    np.testing.assert_array_equal(best.extras["bounds"], [np.nan, np.nan, -5.0])
    assert best_start(climb, [0.0]).status is Status.FAILED
    with pytest.raises(FitError, match="start -2"):
        best_start(climb, [-1.0, -2.0])


def test_interruption_between_and_inside_searches():
    def between(start):
        if start == 9.0:
            raise KeyboardInterrupt
        return solution(start)

    kept = best_start(between, [2.0, 1.0, 9.0, 0.0])
    assert (kept.objective, kept.interrupted, kept.status) == (1.0, True, Status.MAX_ITER)
    assert kept.message == "interrupted after 2 starts"

    def inside(start):
        if start == 9.0:
            return solution(start, Status.MAX_ITER, interrupted=True, message="stopped")
        return solution(start)

    kept = best_start(inside, [2.0, 9.0, 0.0])
    assert (kept.objective, kept.interrupted) == (2.0, True)
    assert kept.message == "interrupted after 2 starts"
