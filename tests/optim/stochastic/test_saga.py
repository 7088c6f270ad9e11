"""Stochastic averaged gradients (optim.08)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import FISTA, SAG, SAGA, LinearProblem, Newton, RowSum, minimise
from margin.penalties import L1, L2, Zero
from margin.testing import SolverContract


def squares(n=200, penalty=None, storage=np.asarray, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    X = scale * rng.normal(size=(n, 5)) * (rng.random(size=(n, 5)) < 0.8)
    y = X @ np.arange(5.0) / scale + 1.0 + rng.normal(size=n)
    chosen = L2(0.1) if penalty is None else penalty
    weight = rng.uniform(0.5, 1.5, size=n) / n
    return LinearProblem(storage(X), y, weight, losses.Squared(), chosen)


@pytest.mark.parametrize("solver", [SAG(1e-8), SAGA(1e-8)])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_ridge_minimum(solver, storage):
    """optim.08: the solution of the normal equations."""
    problem = squares(storage=storage)
    dense = squares()
    A = np.column_stack([dense.X, np.ones(len(dense.y))])
    curvature = A.T @ (dense.weight[:, None] * A) + np.diag([0.1] * 5 + [0.0])
    exact = np.linalg.solve(curvature, A.T @ (dense.weight * dense.y))
    solution = minimise(problem, solver)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, exact, atol=1e-6)


@pytest.mark.parametrize("solver", [SAG(1e-7), SAGA(1e-7)])
@pytest.mark.parametrize("storage", ["dense", "sparse"])
def test_logistic_minimum(solver, storage, classification):
    """optim.08: the minimum found by Newton's method."""
    exact = minimise(classification(), Newton(1e-11)).x
    solution = minimise(classification(storage=storage), solver)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, exact, atol=1e-5)


@pytest.mark.parametrize("solver", [SAG(1e-6), SAGA(1e-6)])
@pytest.mark.parametrize("penalty", [Zero(), L2(0.1)])
@pytest.mark.parametrize("seed", range(4))
def test_default_steps_do_not_diverge(solver, penalty, seed):
    """optim.08: many rows per coefficient, where a table of equally old entries swings up."""
    solution = minimise(squares(400, penalty, seed=seed, scale=3.0), solver)
    assert solution.status is Status.CONVERGED
    assert solution.n_iter < 1000


def test_one_epoch_by_hand():
    """optim.08: renew one slope, update the mean of the table, step along it."""
    problem = squares(6)
    rows = RowSum.of(problem, "SAG")
    A, c = np.column_stack([problem.X, np.ones(6)]), 6 * problem.weight
    solver = SAG(step_length=0.05, seed=4)
    w, table = np.full(6, 0.2), np.zeros((6, 6))
    made = solver.begin(rows, w)
    for epoch in range(3):
        for i in solver.order(rows, epoch):
            table[i] = c[i] * (A[i] @ w - problem.y[i]) * A[i]
            w = w - 0.05 * (table.mean(axis=0) + np.append(0.1 * w[:5], 0.0))
        made = solver.epoch(rows, made)
        assert_allclose(made.w, w, atol=1e-12)


def test_absolute_penalties_by_proximal_steps():
    """optim.08: the lasso of the proximal gradient method, zeros included."""
    problem = squares(penalty=L1(0.5))
    exact = minimise(problem, FISTA(1e-9)).x
    solution = minimise(problem, SAGA(1e-7))
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, exact, atol=1e-5)
    assert_array_equal(solution.x == 0, exact == 0)


@pytest.mark.parametrize("kind", [SAG, SAGA])
def test_seeds_and_refusals(kind):
    """optim.08: a function of the seed; losses with kinks have no slope to keep."""
    first, again, other = (minimise(squares(), kind(1e-12, 2, seed=s)).x for s in (1, 1, 2))
    assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    rng = np.random.default_rng(0)
    hinge = LinearProblem(
        rng.normal(size=(9, 2)), np.arange(9) % 2 * 1.0, None, losses.Hinge(), L2(0.1)
    )
    with pytest.raises(ValueError, match=f"{kind.__name__}: "):
        minimise(hinge, kind())
    with pytest.raises(ValueError, match=f"{kind.__name__}: step_length"):
        kind(step_length=0.0)


class TestTableContract(SolverContract):
    """optim.08: everything a solver promises."""

    monotone = False
    conditions = (1.0, 10.0, 100.0)

    def make(self):
        return [SAGA(tol=1e-6, max_iter=5000), SAG(tol=1e-5, max_iter=5000)]


def sparse_signal(loss, penalty, storage):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    X[rng.random(size=X.shape) < 0.5] = 0.0
    y = X @ np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]) + rng.normal(size=80)
    y = y if loss.form == "residual" else (y > 0).astype(float)
    weight = rng.uniform(0.5, 1.5, size=80) / 80
    weight[::9] = 0.0
    X = sparse.csr_array(X) if storage == "sparse" else X
    return optim.LinearProblem(X, y, weight, loss, penalty)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize(
    "penalty",
    [penalties.Zero(), penalties.L2(0.05), penalties.L1(0.05), penalties.ElasticNet(0.1, 0.5)],
    ids=lambda v: type(v).__name__,
)
@pytest.mark.parametrize(
    "loss",
    [losses.Squared(), losses.Logistic(), losses.SquaredHinge(), losses.Huber(1.0)],
    ids=lambda v: type(v).__name__,
)
def test_exact_minimum_with_constant_steps(storage, penalty, loss):
    """optim.08: to nine digits, kinks of the penalty included; zeros are exact."""
    whole = sparse_signal(loss, penalty, storage)
    found = optim.minimise(whole, SAGA(tol=1e-9, max_iter=3000))
    assert found.status is Status.CONVERGED, found.message
    best = optim.minimise(whole, optim.FISTA(tol=1e-10, max_iter=50_000))
    assert_allclose(found.objective, best.objective, rtol=1e-9)
    assert_allclose(found.x, best.x, atol=1e-6)
    assert ((found.x == 0) == (np.abs(best.x) < 1e-12)).all()


@pytest.mark.parametrize("kind", [SAGA, SAG])
def test_mean_gradient_is_always_that_of_the_table(kind):
    """optim.08: the running mean and the stored slopes never part."""
    whole = sparse_signal(losses.Logistic(), penalties.L2(0.1), "dense")
    rows = optim.RowSum.of(whole, "SAGA")
    solver = kind()
    progress = solver.begin(rows, np.ones(7))
    design = np.column_stack([whole.X, np.ones(80)])
    for _ in range(20):
        progress = solver.epoch(rows, progress)
        slopes, gradient = progress.arrays
        assert_allclose(gradient, design.T @ slopes / len(rows.visits), atol=1e-13)


def test_convergence_is_linear_where_plain_steps_stay_noisy():
    """optim.08: the gap falls by a constant factor, far below the floor of constant SGD steps."""
    whole = sparse_signal(losses.Logistic(), penalties.L2(0.05), "dense")
    best = optim.minimise(whole, optim.Newton(tol=1e-12)).objective
    gap = optim.minimise(whole, SAGA(tol=1e-12, max_iter=60)).trace["objective"] - best
    assert gap[40] < 1e-3 * gap[20]
    rate = SAGA().rate(optim.RowSum.of(whole, "SAGA"))
    plain = optim.SGD(tol=1e-12, max_iter=60, schedule=optim.Constant(rate))
    noisy = optim.minimise(whole, plain).trace["objective"]
    assert gap[40] < 1e-3 * (noisy[40] - best)
