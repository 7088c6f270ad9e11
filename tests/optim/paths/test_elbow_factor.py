"""The factor of the rows on the margin."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.optim.paths._elbow_factor import ElbowFactor

RNG = np.random.default_rng(0)
A = RNG.normal(size=(40, 60))
K = A @ A.T + 1.0


def test_rows_come_and_go():
    factor, kept = ElbowFactor(K), []
    for step in range(120):
        if kept and (step % 3 == 2 or len(kept) == 40):
            k = int(RNG.integers(len(kept)))
            assert factor.drop(k) == kept.pop(k)
        else:
            j = int(RNG.choice(np.setdiff1d(np.arange(40), kept)))
            assert factor.append(j)
            kept.append(j)
        assert factor.rows == kept
        right = RNG.normal(size=(len(kept), 2))
        found = factor.solve(right)
        assert_allclose(K[np.ix_(kept, kept)] @ found, right, atol=1e-8)
        assert_allclose(factor.products(found), found.T @ K[kept], atol=1e-8)


def test_all_may_leave():
    factor = ElbowFactor(K)
    factor.append(3)
    factor.append(5)
    assert factor.drop(0) == 3
    assert factor.drop(0) == 5
    assert factor.append(7)
    assert_allclose(factor.solve(np.array([1.0])), 1.0 / K[7, 7])


@pytest.mark.parametrize("copies", ["equal", "between"])
def test_affinely_dependent_rows_are_refused(copies):
    X = RNG.normal(size=(3, 2))
    X[2] = X[0] if copies == "equal" else 0.3 * X[0] + 0.7 * X[1]
    factor = ElbowFactor(X @ X.T + 1.0)
    assert factor.append(0)
    assert factor.append(1)
    assert not factor.append(2)
    assert factor.rows == [0, 1]


def test_linear_kernel_takes_one_row_more_than_dimensions():
    X = RNG.normal(size=(5, 2))
    factor = ElbowFactor(X @ X.T + 1.0)
    assert [factor.append(j) for j in range(5)] == [True, True, True, False, False]
