"""SemismoothNewton: the optimum of a general solver, with and without shrinking or an intercept."""

import numpy as np
import pytest
from linear_dual_problems import problem

from margin.core import Status
from margin.optim import QuadraticProgram, SemismoothNewton, solve_qp


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("sparse", [False, True])
def test_optimum_of_a_quadratic_program(squared, sparse):
    """svm.09"""
    it = problem(squared, sparse=sparse)
    X = it.X.toarray() if sparse else it.X
    H = X @ X.T + 1.0 + np.diag(it.ridge)
    lower, upper = np.maximum(it.lower, -1e3), np.minimum(it.upper, 1e3)
    exact = solve_qp(QuadraticProgram(H, -it.target, lower=lower, upper=upper), tol=1e-10)
    found = SemismoothNewton(tol=1e-9, max_iter=10**6).run(it)
    assert found.status is Status.CONVERGED
    assert found.objective == pytest.approx(-exact.objective, rel=1e-6)
    assert found.extras["dual"] <= found.objective


@pytest.mark.parametrize("squared", [False, True])
def test_tube(squared):
    it = problem(squared, epsilon=0.2)
    found = SemismoothNewton(tol=1e-8, max_iter=10**6).run(it)
    assert it.primal(found.x) - it.dual(found.extras["beta"]) <= 1.01e-8 * found.objective
    assert np.allclose(it.pull(found.extras["beta"]), found.x, atol=1e-3)


def test_runs_out():
    found = SemismoothNewton(tol=1e-12, max_iter=1).run(problem())
    assert found.status is Status.MAX_ITER
    assert "raise max_iter" in found.message


def test_refuses():
    with pytest.raises(ValueError, match="SemismoothNewton: tol must be"):
        SemismoothNewton(tol=0.0)
