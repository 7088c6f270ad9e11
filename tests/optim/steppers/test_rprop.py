"""Resilient propagation (optim.12)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.core import Status
from margin.optim import Function, Rprop, minimise
from margin.testing import SolverContract


def bowl(curvatures, scale=1.0):
    A = scale * np.asarray(curvatures)
    return Function(lambda x: (0.5 * float(x @ (A * x)), A * x), len(A))


def test_golden_constants():
    """optim.12: eta+ = 1.25, eta- = 0.7, step lengths between 1e-7 and 1e-2."""
    solver = Rprop()
    assert (solver.grow, solver.shrink) == (1.25, 0.7)
    assert (solver.shortest, solver.longest) == (1e-7, 1e-2)
    steps = np.log(solver.longest / solver.shortest) / np.log(solver.grow)
    assert np.ceil(steps) == 52


def test_steps_by_hand():
    """optim.12: grow by 1.25 while the sign is kept, 0.7 after a change; only signs matter."""
    solution = minimise(bowl([1.0, 1e6]), Rprop(max_iter=4), np.array([1.0, 1.5e-3]), trace=True)
    # Second weight: 1.5e-3 - 1e-3 = 5e-4, - 1.25e-3 = -7.5e-4, + 8.75e-4 = 1.25e-4,
    # - 6.125e-4 = -4.875e-4.
    assert_allclose(
        solution.trace["x"][:, 1], [1.5e-3, 5e-4, -7.5e-4, 1.25e-4, -4.875e-4], atol=1e-16
    )
    lengths = 1e-3 * 1.25 ** np.arange(4)
    assert_allclose(solution.trace["x"][1:, 0], 1.0 - np.cumsum(lengths), rtol=1e-14)


def test_lengths_stay_within_their_bounds():
    """optim.12: the longest step is 1e-2; a step cannot fall below the shortest."""
    far = minimise(bowl([1.0]), Rprop(max_iter=40), np.array([10.0]), trace=True)
    moves = -np.diff(far.trace["x"][:, 0])
    assert_allclose(moves[-5:], 1e-2, rtol=1e-9)
    assert moves.max() <= 1e-2 * (1 + 1e-9)
    near = minimise(bowl([1.0]), Rprop(max_iter=60, tol=1e-15), np.array([3e-8]), trace=True)
    assert np.abs(np.diff(near.trace["x"][:, 0])).min() >= 1e-7 * (1 - 1e-9)


def test_the_scale_of_the_objective_does_not_matter():
    """optim.12: the same points for a multiple of the objective."""
    paths = [
        minimise(bowl([1.0, 30.0], s), Rprop(max_iter=50), np.array([0.3, -0.2]), trace=True)
        for s in (1.0, 1024.0)
    ]
    assert_array_equal(paths[0].trace["x"], paths[1].trace["x"])


def test_status_and_refusals():
    """optim.12: converged where the gradient is small, out of steps far away."""
    found = minimise(bowl([1.0, 1e3]), Rprop(tol=1e-3), np.array([0.5, -0.5]))
    assert found.status is Status.CONVERGED
    assert np.abs(found.x * [1.0, 1e3]).max() <= 1e-3
    assert minimise(bowl([1.0]), Rprop(max_iter=5), np.ones(1)).status is Status.MAX_ITER
    for bad in ({"grow": 1.0}, {"shrink": 1.0}, {"longest": 1e-9}):
        with pytest.raises(ValueError, match=f"Rprop: {next(iter(bad))}"):
            Rprop(**bad)


class TestRpropContract(SolverContract):
    """optim.12: everything a solver promises."""

    monotone = False
    conditions = (1.0, 10.0)

    def make(self):
        return [Rprop(tol=1e-4)]
