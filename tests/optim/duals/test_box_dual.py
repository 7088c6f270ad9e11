"""The dual of kernel machines: statement, conditions of optimality, gap."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.optim import BoxDual, GramMatrix, optimality, solve_qp

RNG = np.random.default_rng(0)


def svc(n=20, C=1.0):
    X = RNG.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.5 * RNG.normal(size=n) > 0, 1.0, -1.0)
    return BoxDual(GramMatrix(X @ X.T), y, np.minimum(0, C * y), np.maximum(0, C * y), np.zeros(n))


def test_program_has_the_same_optimum_and_no_gap():
    """svm.07: a general solver of quadratic programs."""
    problem = svc()
    solution = solve_qp(problem.program(), tol=1e-10)
    beta = np.clip(solution.x, problem.lower, problem.upper)
    beta[np.abs(beta) < 1e-7] = 0
    beta[np.abs(np.abs(beta) - 1) < 1e-7] = np.sign(beta[np.abs(np.abs(beta) - 1) < 1e-7])
    at = optimality(problem, beta, problem.gram.matrix @ beta)
    assert_allclose(at.dual, -solution.objective, rtol=1e-6)
    assert abs(at.gap) < 1e-5 * at.primal
    assert at.violation < 1e-5


def test_gap_bounds_the_error_anywhere():
    """svm.03: primal (slack) above dual at every feasible point; the primal is the hinge loss."""
    problem = svc()
    best = -solve_qp(problem.program(), tol=1e-10).objective
    y = problem.target
    for _ in range(20):
        alpha = RNG.uniform(0, 1, size=20)
        side = alpha[y > 0].sum() / alpha[y < 0].sum()
        alpha[y < 0] *= min(1, side)
        alpha[y > 0] *= min(1, 1 / side)
        beta = alpha * y
        scores = problem.gram.matrix @ beta
        at = optimality(problem, beta, scores)
        hinge = np.maximum(0, 1 - y * (scores + at.bias[0])).sum()
        assert_allclose(at.primal, 0.5 * beta @ scores + hinge, rtol=1e-12)
        assert at.dual <= best + 1e-8 <= at.primal + 2e-8
        assert at.violation > 0


def test_variables_may_share_rows():
    rows = np.array([0, 1, 0, 1])
    problem = BoxDual(
        GramMatrix(np.eye(2)), np.zeros(4), -np.ones(4), np.ones(4), np.zeros(4), rows=rows
    )
    assert_allclose(problem.by_row(np.array([1.0, 2, 3, 4])), [4, 6])
    assert problem.groups.tolist() == [0, 0, 0, 0]


def test_bias_without_free_variables_is_in_the_middle():
    """svm.05: mean over the unbound, the middle of what the bounds allow without any."""
    y = np.array([1.0, -1.0])
    problem = BoxDual(
        GramMatrix(np.zeros((2, 2))), y, np.minimum(0, y), np.maximum(0, y), np.zeros(2)
    )
    at = optimality(problem, y, np.array([0.5, 0.1]))
    assert_allclose(at.bias[0], (0.5 - 1.1) / 2)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"lower": np.zeros(3)}, "lower must be of length 2"),
        ({"start": np.full(2, 5.0)}, "start must be within the bounds"),
        ({"gram": GramMatrix(np.eye(3))}, "target must be of length 3"),
    ],
)
def test_bad_problems_are_refused(change, text):
    parts = {
        "gram": GramMatrix(np.eye(2)),
        "target": np.zeros(2),
        "lower": -np.ones(2),
        "upper": np.ones(2),
        "start": np.zeros(2),
    }
    with pytest.raises(ValueError, match=text):
        BoxDual(**{**parts, **change})
