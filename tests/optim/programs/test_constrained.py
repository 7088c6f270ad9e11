"""Objectives under constraints (optim.20)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim import (
    ConstrainedProblem,
    Constraint,
    Function,
    QuadraticProgram,
    affine,
    constrained,
)

BOWL = Function(lambda x: (0.5 * float(x @ x), x), 2)
DISC = Constraint(lambda x: [x @ x - 1.0], lambda x: [2 * x])


def test_functions_are_numbered_through():
    """optim.20: in the order of the constraints, each with all its functions."""
    problem = ConstrainedProblem(BOWL, [affine(np.eye(2), [1.0, 2.0]), DISC], [affine([[1, 1]], 1)])
    x = np.array([3.0, 4.0])
    g, h = problem.values(x)
    assert_allclose(g, [2, 2, 24])
    assert_allclose(h, [6])
    Jg, Jh = problem.jacobians(x)
    assert_allclose(Jg, [[1, 0], [0, 1], [6, 8]])
    assert_allclose(Jh, [[1, 1]])
    assert [f.tolist() for f in problem.affine_rows(x)] == [[True, True, False], [True]]


def test_problems_without_constraints():
    problem = constrained(BOWL)
    x = np.ones(2)
    assert [len(v) for v in problem.values(x)] == [0, 0]
    assert [j.shape for j in problem.jacobians(x)] == [(0, 2), (0, 2)]
    assert constrained(problem) is problem


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_quadratic_programs(storage):
    program = QuadraticProgram(
        storage(2 * np.eye(2)), [1.0, 0.0], A=[[1.0, 1.0]], b=[1.0], lower=0.0, upper=[5.0, np.inf]
    )
    stated = constrained(program)
    x = np.array([2.0, 3.0])
    assert stated.objective.expand(x).value == program.value(x) == 15.0
    assert_allclose(stated.objective.expand(x).gradient, [5, 6])
    g, h = stated.values(x)
    assert_allclose(g, [-2, -3, -3])
    assert_allclose(h, [4])
    assert_allclose(stated.jacobians(x)[0], [[-1, 0], [0, -1], [1, 0]])


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="affine: b must be of shape"):
        affine(np.eye(2), [1.0])
