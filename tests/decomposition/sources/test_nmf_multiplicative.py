import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.decomposition.sources._nmf_multiplicative import multiplicative
from margin.decomposition.sources._nmf_problem import Factors, NMFProblem

RNG = np.random.default_rng(0)
X = RNG.random((12, 3)) @ RNG.random((3, 7)) + 0.05
START = Factors(RNG.random((12, 3)) + 0.1, RNG.random((3, 7)) + 0.1)


@pytest.mark.parametrize("beta", [-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_divergence_never_rises(beta, gaps):
    """decomposition.15: for every beta divergence, with and without gaps."""
    seen = RNG.random(X.shape) < 0.8 if gaps else None
    problem = NMFProblem(np.where(seen, X, 0.0) if gaps else X, seen, beta)
    solution = multiplicative(problem, START, tol=1e-12, max_iter=200)
    trace = solution.trace["objective"][::10]
    assert np.diff(trace).max() <= 1e-9
    assert trace[-1] < 0.2 * trace[0]


@pytest.mark.parametrize("beta", [1.0, 1.5, 2.0])
def test_sparse_is_dense(beta):
    holes = X * (RNG.random(X.shape) < 0.5)
    one = multiplicative(NMFProblem(holes, None, beta), START, tol=1e-6, max_iter=30)
    two = multiplicative(NMFProblem(csr_array(holes), None, beta), START, tol=1e-6, max_iter=30)
    np.testing.assert_allclose(one.x.W, two.x.W, rtol=1e-8)


def test_penalties_shrink():
    plain = multiplicative(NMFProblem(X), START, tol=1e-6, max_iter=100)
    held = multiplicative(
        NMFProblem(X, lasso_weights=2.0, ridge_parts=1.0), START, tol=1e-6, max_iter=100
    )
    assert held.x.W.sum() < plain.x.W.sum()
