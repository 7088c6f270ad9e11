"""Solvers of the duals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.optim import GramMatrix, soft_margin, tube
from margin.svm.kernel._settings import DualSettings

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 2))
SIGN = np.where(X[:, 0] + 0.5 * RNG.normal(size=20) > 0, 1.0, -1.0)
GRAM = GramMatrix(np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=-1)))


@pytest.mark.parametrize(
    "problem",
    [soft_margin(GRAM, SIGN, np.ones(20)), tube(GRAM, X[:, 0], np.ones(20), 0.1)],
    ids=["classes", "numbers"],
)
def test_two_solvers_agree(problem):
    one = DualSettings(tol=1e-8).solve(problem)
    two = DualSettings(tol=1e-6, solver="qp").solve(problem)
    assert two.certificate.holds
    assert_allclose(one.objective, two.objective, rtol=1e-8)
    assert_allclose(problem.by_row(one.x), problem.by_row(two.x), atol=1e-4)
    assert_allclose(one.extras["scores"], two.extras["scores"], atol=1e-5)


def test_no_price_is_high_enough():
    hopeless = soft_margin(GramMatrix(np.ones((2, 2))), np.array([1.0, -1.0]), np.full(2, np.inf))
    with pytest.raises(FitError, match="Machine: C=inf asks for data that can be fitted without"):
        DualSettings("Machine").solve(hopeless)
