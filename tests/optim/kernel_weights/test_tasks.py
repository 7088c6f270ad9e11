"""What is trained with weighted kernels."""

import numpy as np
from numpy.testing import assert_allclose

from margin.optim import SMO, Duel, GramMatrix, Tube


def test_a_duel_of_some_rows_leaves_the_others_alone():
    X = np.array([[-1.0], [5.0], [1.0]])
    duel = Duel(np.array([0, 2]), np.array([-1.0, 1.0]), np.ones(2))
    problem = duel.problem(GramMatrix(X @ X.T), None)
    assert_allclose(problem.by_row(SMO().run(problem).x), [-0.5, 0.0, 0.5])


def test_a_tube_has_two_multipliers_per_row():
    y = np.array([0.0, 1.0, 2.0])
    task = Tube(np.arange(3), y, np.full(3, 10.0), 0.1)
    problem = task.problem(GramMatrix(np.outer(y, y)), None)
    assert_allclose(problem.by_row(SMO(tol=1e-9).run(problem).x) @ y, 0.9)
