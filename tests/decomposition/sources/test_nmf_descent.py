import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.decomposition.sources._nmf_descent import coordinate_descent
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem

RNG = np.random.default_rng(0)
X = RNG.random((15, 4)) @ RNG.random((4, 9)) + 0.05 * RNG.random((15, 9))
START = Factors(RNG.random((15, 3)), RNG.random((3, 9)))
NETS = {"lasso_weights": 0.05, "lasso_parts": 0.02, "ridge_weights": 0.1, "ridge_parts": 0.3}
RULES = {"tol": 1e-9, "max_iter": 20_000}


@pytest.mark.parametrize("nets", [{}, NETS])
@pytest.mark.parametrize("gaps", [False, True])
def test_objective_falls_to_a_stationary_point(nets, gaps):
    """decomposition.15: conditions of optimality, with penalties and with gaps."""
    seen = RNG.random(X.shape) < 0.8 if gaps else None
    data = np.where(seen, X, 0.0) if gaps else X
    problem = NMFProblem(data, seen, **nets)
    solution = coordinate_descent(problem, START, **RULES)
    W, H = solution.x.W, solution.x.H
    assert np.diff(solution.trace["objective"]).max() <= 1e-12
    left = (data - W @ H) * (1.0 if seen is None else seen)
    for a, slope in (
        (W, problem.lasso_weights + problem.ridge_weights * W - left @ H.T),
        (H, problem.lasso_parts + problem.ridge_parts * H - W.T @ left),
    ):
        assert a.min() >= 0
        assert slope.min() > -1e-4
        assert np.abs(slope * a).max() < 1e-4


def test_a_mask_that_hides_nothing_changes_nothing():
    whole = coordinate_descent(NMFProblem(X), START, **RULES)
    masked = coordinate_descent(NMFProblem(X, np.ones(X.shape, bool)), START, **RULES)
    assert masked.objective == pytest.approx(whole.objective, rel=1e-2)


def test_sparse_is_dense():
    holes = X * (RNG.random(X.shape) < 0.4)
    dense = coordinate_descent(NMFProblem(holes), START, tol=1e-4, max_iter=50)
    sparse = coordinate_descent(NMFProblem(csr_array(holes)), START, tol=1e-4, max_iter=50)
    np.testing.assert_allclose(sparse.x.W, dense.x.W, atol=1e-8)
