"""MulticlassDescent: the optimum of a general solver, the gap, and how it ends."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from margin.core import Status
from margin.optim import MulticlassDescent, QuadraticProgram, solve_qp


def problem(n=12, p=3, n_classes=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    codes = np.argmax(X[:, :n_classes] + rng.normal(size=(n, n_classes)), axis=1)
    return X, codes, rng.uniform(0.2, 1.5, n)


def primal(X, codes, cap, W, constant):
    scores = np.column_stack([X, np.full(len(X), constant)]) @ W
    rows = np.arange(len(codes))
    lead = scores - scores[rows, codes][:, None] + 1.0
    lead[rows, codes] = 0.0
    return 0.5 * (W**2).sum() + cap @ lead.max(axis=1)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_optimum_of_a_quadratic_program(sparse, constant):
    """svm.18: the dual over all multipliers, solved whole."""
    X, codes, cap = problem()
    n, K = len(codes), 3
    Z = np.column_stack([X, np.full(n, constant)])
    own = np.eye(K)[codes].ravel()
    exact = solve_qp(
        QuadraticProgram(
            np.kron(Z @ Z.T, np.eye(K)), -own,
            A=np.kron(np.eye(n), np.ones((1, K))), b=np.zeros(n),
            upper=np.repeat(cap, K) * own,
        ),
        tol=1e-10,
    )  # fmt: skip
    found = MulticlassDescent(tol=1e-9, max_iter=10**5).run(
        csr_matrix(X) if sparse else X, codes, cap, K, constant
    )
    assert found.status is Status.CONVERGED
    assert found.objective == pytest.approx(-exact.objective, rel=1e-7)
    assert found.objective == pytest.approx(primal(X, codes, cap, found.x, constant), rel=1e-12)
    beta = found.extras["beta"]
    assert np.allclose(beta.sum(axis=1), 0, atol=1e-12)
    assert (beta <= cap[:, None] * np.eye(K)[codes] + 1e-12).all()
    assert np.allclose(Z.T @ beta, found.x, atol=1e-4)


def test_gap_bounds_the_error_of_every_look():
    X, codes, cap = problem(60, 5)
    exact = MulticlassDescent(tol=1e-10, max_iter=10**5).run(X, codes, cap, 3, 1.0)
    trace = MulticlassDescent(tol=1e-6, max_iter=60).run(X, codes, cap, 3, 1.0).trace
    assert (trace["objective"] >= exact.objective * (1 - 1e-9)).all()
    assert (trace["objective"] - trace["gap"] <= exact.objective * (1 + 1e-9)).all()


def test_runs_out():
    found = MulticlassDescent(tol=1e-12, max_iter=1).run(*problem(), 3)
    assert found.status is Status.MAX_ITER
    assert "raise max_iter" in found.message


def test_refuses():
    with pytest.raises(ValueError, match="MulticlassDescent: tol must be"):
        MulticlassDescent(tol=0.0)
