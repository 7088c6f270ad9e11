import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.decomposition.sources._nmf_problem import NMFProblem, advice


def test_divergence_and_penalty():
    X, W, H = np.array([[1.0, 2.0]]), np.array([[1.0]]), np.array([[1.0, 1.0]])
    problem = NMFProblem(X, lasso_weights=0.5, ridge_parts=2.0)
    assert problem.divergence(W, H) == 0.5
    assert problem.penalty(W, H) == pytest.approx(0.5 + 2.0)
    assert NMFProblem(csr_array(X)).divergence(W, H) == 0.5
    assert NMFProblem(X, np.array([[True, False]])).divergence(W, H) == 0


def test_advice_has_both_sentences():
    assert "raise tol" in advice(7)[0]
    assert "Maximum number of iterations 7 reached" in advice(7)[0]
