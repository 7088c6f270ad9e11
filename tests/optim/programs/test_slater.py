"""Slater's condition (optim.21)."""

import numpy as np
import pytest

from margin.optim import (
    ConstrainedProblem,
    Constraint,
    Function,
    QuadraticProgram,
    affine,
    slater,
)

BOWL = Function(lambda x: (0.5 * float(x @ x), x), 2)


def disc(centre, radius):
    centre = np.array(centre)
    return Constraint(
        lambda x: [(x - centre) @ (x - centre) - radius**2], lambda x: [2 * (x - centre)]
    )


@pytest.mark.parametrize(
    ("shift", "wanted"), [(0.0, True), (1.5, True), (1.99, True), (2.0, False), (3.0, False)]
)
def test_two_discs_overlap_touch_or_miss(shift, wanted):
    """optim.21: strictly inside both only while they overlap."""
    problem = ConstrainedProblem(BOWL, [disc([0.0, 0.0], 1.0), disc([shift, 0.0], 1.0)])
    found = slater(problem)
    assert found.holds is wanted
    if wanted:
        g, _ = problem.values(found.point)
        assert g.max() < 0
        assert found.slack == pytest.approx(-g.max())
    else:
        assert "no point found strictly inside" in found.message


def test_affine_constraints_need_no_slack():
    """optim.21: x = y >= 0 with x + y <= 0 leaves one point, which is enough for affine ones."""
    problem = ConstrainedProblem(
        BOWL, [affine([[-1.0, 0.0], [1.0, 1.0]], [0.0, 0.0])], [affine([[1.0, -1.0]], [0.0])]
    )
    found = slater(problem)
    assert found.holds
    assert not found.interior
    empty = ConstrainedProblem(BOWL, [affine([[1.0, 0.0], [-1.0, 0.0]], [-1.0, -1.0])])
    assert not slater(empty).holds
    assert "no point found that satisfies" in slater(empty).message


def test_curved_constraint_on_a_line():
    """optim.21: the disc cut by a line through it, along its edge, or past it."""
    for height, wanted in ((0.0, True), (0.9, True), (1.0, False), (1.5, False)):
        problem = ConstrainedProblem(BOWL, [disc([0, 0], 1.0)], [affine([[0.0, 1.0]], [height])])
        assert slater(problem).holds is wanted, height


def test_separable_support_vector_machine():
    """optim.21: scaling a separating plane by gamma > 1 gives a strictly feasible point."""
    X = np.array([[1.0, 1.0], [2.0, 0.5], [-1.0, -1.0]])
    y = np.array([1.0, 1.0, -1.0])
    G = -y[:, None] * np.column_stack([X, np.ones(3)])
    program = QuadraticProgram(np.diag([1.0, 1.0, 0.0]), np.zeros(3), G=G, h=-np.ones(3))
    plane = np.array([1.0, 1.0, 0.0])
    for gamma, strict in ((0.4, False), (0.5, False), (1.1, True)):
        assert slater(program, gamma * plane).interior is strict
    assert slater(program).interior
    clash = QuadraticProgram(np.eye(1), [0.0], G=[[-1.0], [1.0]], h=[-1.0, -1.0])
    assert not slater(clash).holds


def test_a_given_point_is_only_checked():
    problem = ConstrainedProblem(BOWL, [disc([0.0, 0.0], 1.0)])
    assert slater(problem, [0.5, 0.0]).holds
    assert not slater(problem, [1.0, 0.0]).holds
    assert slater(problem, [1.0, 0.0]).slack == 0.0


def test_without_constraints_it_holds():
    assert slater(BOWL).holds
    assert slater(BOWL).slack == np.inf
