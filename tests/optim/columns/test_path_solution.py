"""Reports on paths of strengths."""

import numpy as np
import pytest

from margin.core import Status
from margin.optim.columns._path_solution import path_solution


@pytest.mark.parametrize(
    ("gaps", "sweeps", "status"),
    [
        ([1e-9, 1e-9], [3, 9], Status.CONVERGED),
        ([1e-9, 1e-9], [3, 10], Status.CONVERGED),  # the last sweep was enough
        ([1e-2, 1e-9], [10, 4], Status.MAX_ITER),
        ([1e-2, 1e-9], [4, 10], Status.STALLED),  # the other strength used all its sweeps
    ],
)
def test_the_worst_strength_speaks_for_the_path(gaps, sweeps, status):
    alphas, objectives = np.array([2.0, 1.0]), np.array([5.0, 4.0])
    solution = path_solution(
        np.zeros(3),
        alphas,
        objectives,
        7.0 * np.array(gaps),
        np.array(sweeps),
        scale=7.0,
        tol=1e-4,
        max_iter=10,
        solver="descent",
    )
    assert solution.status is status
    assert solution.certificate.value == pytest.approx(max(gaps))
    assert solution.trace["gap"].max() == 7.0 * max(gaps)  # on the scale of the objective
    assert (solution.objective, solution.n_iter) == (4.0, sum(sweeps))
    assert bool(solution.message) is (status is not Status.CONVERGED)
