"""One pass over the rows: what is kept and what it gives."""

import numpy as np
import pytest

from margin.gp.solvers._solver import Observations
from margin.gp.solvers._sparse import Sparse
from margin.gp.solvers._sparse_summary import Summary, _diagonal_gradient
from margin.kernels import RBF, Linear, White

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
SEEN = Observations(X, RNG.normal(size=(20, 1)), np.full(20, 0.1), np.ones((20, 1)) / np.sqrt(20))
KERNEL = 2.0 * RBF(1.0) + White(0.2)


def test_small_matrices_are_those_of_the_formulae():
    Z = X[:4] + 0.1
    made = Summary.of(Sparse(Z), KERNEL, SEEN)
    latent = 2.0 * RBF(1.0)
    V = np.linalg.solve(made.outer.lower, latent(Z, X))
    np.testing.assert_allclose(
        made.inner.lower @ made.inner.lower.T, np.eye(4) + V @ V.T / 0.3, rtol=1e-9
    )
    cov = V.T @ V + 0.3 * np.eye(20)
    H, y = SEEN.H, SEEN.Y
    wanted = np.linalg.solve(H.T @ np.linalg.solve(cov, H), H.T @ np.linalg.solve(cov, y))
    np.testing.assert_allclose(made.beta, wanted, rtol=1e-8)


def test_derivative_of_the_diagonal():
    weight = RNG.normal(size=20)
    for kernel in (2.0 * RBF(1.0), 3.0 * Linear()):
        found = _diagonal_gradient(kernel, X, weight)
        assert found[0] == pytest.approx(weight @ kernel.diag(X))
        assert np.allclose(found[1:], 0.0)


def test_points_of_a_kernel_without_input_derivatives_cannot_move():
    solver = Sparse(X[:3], False, True, np.ones(2))
    with pytest.raises(ValueError, match="learn_inducing must be False"):
        solver.evaluate(3.0 * Linear() + White(0.1), SEEN)
