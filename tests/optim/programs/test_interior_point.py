"""Own interior-point method (optim.19)."""

from itertools import islice

import numpy as np
from numpy.testing import assert_allclose

from margin.optim import QuadraticProgram
from margin.optim.programs._interior_point import interior_points


def test_points_stay_inside_and_the_products_vanish():
    """optim.19: slacks and prices positive at every step, their products tend to zero."""
    rng = np.random.default_rng(0)
    R = rng.normal(size=(5, 5))
    program = QuadraticProgram(R @ R.T, rng.normal(size=5), lower=-0.1, upper=0.1)
    points = list(islice(interior_points(program), 15))
    for at in points:
        assert at.slack.min() > 0
        assert at.inequality.min() > 0
    means = [float((at.slack * at.inequality).mean()) for at in points]
    assert means[-1] < 1e-12
    assert min(means[i + 1] / means[i] for i in range(8)) < 0.1


def test_without_inequalities_the_first_point_solves_the_linear_system():
    A, b = np.array([[1.0, 1.0, 1.0]]), np.array([3.0])
    program = QuadraticProgram(np.diag([1.0, 2.0, 3.0]), np.zeros(3), A=A, b=b)
    at = next(interior_points(program))
    wanted = np.array([6.0, 3.0, 2.0]) * 3 / 11
    assert_allclose(at.x, wanted, atol=1e-10)


def test_dependent_equalities_are_no_obstacle():
    A = np.array([[1.0, 1.0], [2.0, 2.0]])
    program = QuadraticProgram(np.eye(2), np.zeros(2), A=A, b=[1.0, 2.0], lower=0.0)
    at = list(islice(interior_points(program), 20))[-1]
    assert_allclose(at.x, [0.5, 0.5], atol=1e-8)
