"""The contract of a solver, and what is new when one is added."""

from dataclasses import FrozenInstanceError, dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.optim import Function, Solver, State, minimise


@dataclass(frozen=True)
class Halving(Solver):
    """Halves every coordinate: right for the bowl, and as small as a solver can be."""

    tol: float = 1e-6
    max_iter: int = 100

    def init(self, problem, x):
        return State(x, problem.expand(x))

    def step(self, problem, state):
        x = 0.5 * state.x
        return replace(state, x=x, local=problem.expand(x), step_length=0.5)


def test_adding_a_solver_takes_init_and_step():
    """The driver brings the loop, the stopping rules, the trace and the certificate."""
    bowl = Function(lambda x: (0.5 * float(x @ x), x), 2)
    solution = minimise(bowl, Halving(), np.array([1.0, -1.0]))
    assert solution.status is Status.CONVERGED
    assert solution.n_iter == 20
    assert_allclose(solution.trace["gradient_norm"], 0.5 ** np.arange(21))
    assert solution.solver == "Halving"
    assert solution.certificate.value == 2.0**-20


def test_solver_is_abstract_and_immutable():
    with pytest.raises(TypeError, match="abstract"):
        Solver()
    with pytest.raises(FrozenInstanceError):
        Halving().tol = 1.0
    assert Halving() == Halving(1e-6, 100)
    assert hash(Halving()) == hash(Halving(1e-6, 100))


def test_state_is_immutable():
    state = State(np.zeros(1), Function(lambda x: (0.0, x), 1).expand(np.zeros(1)))
    with pytest.raises(FrozenInstanceError):
        state.x = np.ones(1)
    assert state.stuck == ""
    assert state.repairs == ()
