"""Gradients of sparse processes; against differences in the tests of the solver."""

import numpy as np
import pytest

from margin.gp._noise import split
from margin.gp.solvers._inducing_rows import InducingRows
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._sparse import Sparse
from margin.gp.solvers._sparse_gradient import diagonal_gradient, sparse_gradient
from margin.gp.solvers._sparse_summary import Summary
from margin.kernels import RBF, Linear, White

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
SEEN = Observations(X, RNG.normal(size=(20, 1)), np.full(20, 0.1), np.ones((20, 1)) / np.sqrt(20))


def test_points_only_where_they_are_asked_for():
    rows = InducingRows.of(X[:3], False, split(2.0 * RBF(1.0) + White(0.2)), SEEN)
    theta, none = sparse_gradient(Summary.of(rows), points=False)
    again, points = sparse_gradient(Summary.of(rows), points=True)
    assert none is None
    np.testing.assert_allclose(again, theta, rtol=1e-12)
    assert points.shape == (3, 2)


def test_derivative_of_the_diagonal():
    weight = RNG.normal(size=20)
    for kernel in (2.0 * RBF(1.0), 3.0 * Linear()):
        slopes = diagonal_gradient(kernel, X, weight)
        assert slopes[0] == pytest.approx(weight @ kernel.diag(X))
        assert np.allclose(slopes[1:], 0.0)


def test_points_of_a_kernel_without_input_derivatives_cannot_move():
    solver = Sparse(X[:3], False, True, np.ones(2))
    with pytest.raises(ValueError, match="learn_inducing must be False"):
        solver.evaluate(3.0 * Linear() + White(0.1), SEEN)
