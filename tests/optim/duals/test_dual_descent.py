"""DualDescent: the optimum of a general solver, with and without shrinking or an intercept."""

import numpy as np
import pytest
from linear_dual_problems import LinearDualContract, problem

from margin.optim import DualDescent, LinearDual


class TestDualDescent(LinearDualContract):
    """svm.09"""

    solver = DualDescent


def test_free_intercept_is_refused():
    it = problem()
    free = LinearDual(it.X, it.target, it.lower, it.upper, it.ridge, 0.0, np.inf)
    with pytest.raises(ValueError, match="DualDescent: problem must be one with a penalised"):
        DualDescent().run(free)


def test_shrinking_changes_nothing():
    with_it, without = (
        DualDescent(tol=1e-10, max_iter=10**6, shrinking=flag).run(problem()).x
        for flag in (True, False)
    )
    assert np.allclose(with_it, without, atol=1e-4)
