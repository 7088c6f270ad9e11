"""What stochastic solvers share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin import losses
from margin.core import Status
from margin.optim import (
    SAG,
    SAGA,
    SGD,
    Adam,
    Constant,
    DivideOnStall,
    Function,
    LinearProblem,
    MomentumSGD,
    RowSum,
    minimise,
)
from margin.optim._stochastic import Progress
from margin.penalties import L2

ALL = [SGD(), MomentumSGD(), Adam(), SAG(), SAGA()]


@pytest.mark.parametrize("solver", ALL, ids=lambda s: type(s).__name__)
def test_an_epoch_writes_to_nothing(solver, classification):
    """optim.03: an epoch from the same progress gives the same result twice."""
    problem = classification()
    rows = RowSum.of(problem, "test")
    start = solver.epoch(rows, solver.begin(rows, np.full(problem.dimension, 0.1)))
    kept = [a.copy() for a in (start.w, *start.arrays)]
    first, again = solver.epoch(rows, start), solver.epoch(rows, start)
    assert_array_equal(first.w, again.w)
    for now, then in zip((start.w, *start.arrays), kept, strict=True):
        assert_array_equal(now, then)
    assert (first.epochs, start.epochs) == (2, 1)
    assert first.taken == 2 * start.taken


@pytest.mark.parametrize("solver", ALL, ids=lambda s: type(s).__name__)
def test_the_status_is_that_of_the_whole_gradient(solver, classification):
    """optim.03, optim.08: converged means a small gradient of the objective, not a small step."""
    problem = classification(alpha=0.1)
    for max_iter in (1, 400):
        settings = {**vars(solver), "max_iter": max_iter, "tol": 5e-3}
        solution = minimise(problem, type(solver)(**settings))
        size = np.abs(problem.expand(solution.x).gradient).max()
        assert (solution.status is Status.CONVERGED) == (size <= 5e-3)
        assert solution.n_iter <= max_iter
        assert_allclose(solution.objective, problem.expand(solution.x).value, rtol=1e-10)


@pytest.mark.parametrize("solver", ALL, ids=lambda s: type(s).__name__)
def test_only_linear_models_have_rows(solver):
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 2)
    with pytest.raises(ValueError, match=type(solver).__name__):
        minimise(bowl, solver, np.ones(2))


def test_stalls_lower_the_rate():
    """optim.13: five epochs without a lower objective divide the rate by ten."""
    solver = SGD(schedule=DivideOnStall(0.1))
    progress = solver.after(Progress(np.zeros(1)), 1.0)
    for _ in range(4):
        progress = solver.after(progress, 1.0)
    assert (progress.damping, progress.idle) == (1.0, 4)
    assert solver.after(progress, 0.5).idle == 0
    assert_allclose(solver.after(progress, 1.0).damping, 0.1)
    assert SGD(schedule=Constant(0.1)).after(progress, 1.0).damping == 1.0


def test_dividing_on_stalls_ends_the_noise():
    """optim.13: a constant rate hovers above the minimum, divided on stalls it gets there."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X @ [1.0, -1.0] + rng.normal(size=60)
    problem = LinearProblem(X, y, np.full(60, 1 / 60), losses.Squared(), L2(0.1))
    noisy = minimise(problem, SGD(1e-4, 200, Constant(0.1)))
    calm = minimise(problem, SGD(1e-4, 200, DivideOnStall(0.1)))
    assert noisy.status is not Status.CONVERGED
    assert calm.status is Status.CONVERGED
