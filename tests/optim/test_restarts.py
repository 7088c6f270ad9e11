"""Random restarts (optim.23)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Solution, Status
from margin.optim import LBFGS, Function, best_of_restarts, minimise

WAVE = Function(lambda x: (float(np.sum(x**2 / 20 - np.cos(x))), x / 10 + np.sin(x)), 1)


def from_anywhere(rng):
    return minimise(WAVE, LBFGS(), rng.uniform(-20, 20, size=1))


def test_the_best_value_never_rises_with_more_restarts():
    """optim.23: run r is the same whatever the number of runs."""
    runs = [best_of_restarts(from_anywhere, n, seed=0) for n in range(1, 13)]
    values = [run.objective for run in runs]
    assert (np.diff(values) <= 0).all()
    assert values[-1] < values[0]
    every = runs[-1].trace["restart_objective"]
    assert_allclose(values, np.minimum.accumulate(every))
    for n, run in enumerate(runs, 1):
        assert_array_equal(run.trace["restart_objective"], every[:n])


def test_the_kept_run_is_the_lowest_one():
    """optim.23: the answer is one of the runs, named by its number, the same for a seed."""
    best = best_of_restarts(from_anywhere, 10, seed=1)
    kept = best.extras["restart"]
    assert kept == np.argmin(best.trace["restart_objective"])
    assert_array_equal(best.x, from_anywhere(np.random.default_rng((1, kept))).x)
    assert_array_equal(best.x, best_of_restarts(from_anywhere, 10, seed=1).x)
    assert best.status is Status.CONVERGED


def scripted(*ends):
    queue = iter(ends)

    def solve(rng):
        status, objective = next(queue)
        return Solution(
            np.zeros(1),
            status,
            n_iter=1,
            objective=objective,
            trace={"objective": np.array([objective])},
            message="" if status.ok else "as told",
        )

    return solve


def test_failed_runs_count_only_if_all_failed():
    """optim.23: a low objective of a failed run is no answer, nor is one that is no number."""
    failed = (Status.FAILED, -9.0)
    best = best_of_restarts(scripted(failed, (Status.MAX_ITER, 5.0), failed), 3)
    assert (best.objective, best.extras["restart"]) == (5.0, 1)
    assert best_of_restarts(scripted(failed, failed), 2).status is Status.FAILED
    lost = (Status.MAX_ITER, np.nan)
    assert best_of_restarts(scripted(lost, (Status.MAX_ITER, 2.0), lost), 3).objective == 2.0


@pytest.mark.parametrize("n_restarts", [0, True, 1.5])
def test_numbers_of_runs(n_restarts):
    with pytest.raises(ValueError, match="best_of_restarts: n_restarts"):
        best_of_restarts(from_anywhere, n_restarts)


def test_no_run_begins_after_an_interruption():
    begun = []

    def solve(rng):
        begun.append(1)

        def stop(n, value):
            if len(begun) == 2:
                raise KeyboardInterrupt

        return minimise(WAVE, LBFGS(), rng.uniform(-20, 20, size=1), callback=stop)

    solution = best_of_restarts(solve, 20)
    assert len(begun) == len(solution.trace["restart_objective"]) == 2
