"""A small linear machine: what every dual solver of it must do."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from margin.core import Status
from margin.optim import LinearDual, QuadraticProgram, solve_qp


def problem(squared=False, epsilon=0.0, sparse=False, n=25):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    bound = np.full(n, np.inf if squared else 0.8)
    lower = -bound if epsilon else np.where(y > 0, 0.0, -bound)
    upper = bound if epsilon else np.where(y > 0, bound, 0.0)
    ridge = np.full(n, 0.5 / 0.8 if squared else 0.0)
    return LinearDual(csr_matrix(X) if sparse else X, y, lower, upper, ridge, epsilon, 1.0)


class LinearDualContract:
    """Tests of a solver, which a subclass names as ``solver``."""

    solver: type

    @pytest.mark.parametrize("squared", [False, True])
    @pytest.mark.parametrize("sparse", [False, True])
    def test_optimum_of_a_quadratic_program(self, squared, sparse):
        """svm.09"""
        it = problem(squared, sparse=sparse)
        X = it.X.toarray() if sparse else it.X
        H = X @ X.T + 1.0 + np.diag(it.ridge)
        lower, upper = np.maximum(it.lower, -1e3), np.minimum(it.upper, 1e3)
        exact = solve_qp(QuadraticProgram(H, -it.target, lower=lower, upper=upper), tol=1e-10)
        found = self.solver(tol=1e-9, max_iter=10**6).run(it)
        assert found.status is Status.CONVERGED
        assert found.objective == pytest.approx(-exact.objective, rel=1e-6)
        assert found.extras["dual"] <= found.objective

    @pytest.mark.parametrize("squared", [False, True])
    def test_tube(self, squared):
        it = problem(squared, epsilon=0.2)
        found = self.solver(tol=1e-8, max_iter=10**6).run(it)
        assert it.primal(found.x) - it.dual(found.extras["beta"]) <= 1.01e-8 * found.objective
        assert np.allclose(it.pull(found.extras["beta"]), found.x, atol=1e-3)

    def test_runs_out(self):
        found = self.solver(tol=1e-12, max_iter=1).run(problem())
        assert found.status is Status.MAX_ITER
        assert "raise max_iter" in found.message

    def test_refuses(self):
        with pytest.raises(ValueError, match=f"{self.solver.__name__}: tol must be"):
            self.solver(tol=0.0)
