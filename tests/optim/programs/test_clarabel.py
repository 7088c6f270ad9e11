"""Quadratic programs by Clarabel (optim.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim import QuadraticProgram
from margin.optim.programs._clarabel import clarabel_point

pytest.importorskip("clarabel")


@pytest.mark.parametrize("storage", [np.asarray, sparse.csc_array])
def test_prices_come_in_the_order_of_the_rows(storage):
    """optim.19: x1 = 2 by the equality, x2 at its lower, x3 at its upper bound."""
    program = QuadraticProgram(
        storage(np.eye(3)),
        [0.0, 1.0, -9.0],
        A=storage(np.array([[1.0, 0.0, 0.0]])),
        b=[2.0],
        lower=[-np.inf, 0.0, -np.inf],
        upper=[np.inf, np.inf, 3.0],
    )
    at, n_iter, word = clarabel_point(program, 1e-9, 100)
    assert_allclose(at.x, [2, 0, 3], atol=1e-7)
    assert_allclose(at.equality, [-2], atol=1e-6)
    assert_allclose(at.inequality, [1, 6], atol=1e-6)
    assert n_iter >= 1
    assert "Solved" in word


def test_a_problem_without_constraints():
    at, _, _ = clarabel_point(QuadraticProgram(2 * np.eye(2), [-2.0, 4.0]), 1e-9, 100)
    assert_allclose(at.x, [1, -2], atol=1e-7)
