"""Stochastic gradient descent (optim.03, optim.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import (
    SGD,
    GradientDescent,
    InverseTime,
    LinearProblem,
    PolyakAverage,
    RowSum,
    StronglyConvex,
    minimise,
)
from margin.testing import SolverContract


class TestFullBatchContract(SolverContract):
    """With all rows in a batch and a fixed step it is gradient descent."""

    conditions = (1.0, 10.0)

    def make(self):
        return [SGD(batch=None, schedule=optim.Constant(0.05), tol=1e-6, max_iter=20_000)]


class TestSingleRowContract(SolverContract):
    """Row by row: rows that agree with each other (a quadratic of residual zero) are solved."""

    monotone = False
    conditions = (1.0, 10.0)

    def make(self):
        return [SGD(tol=1e-3, max_iter=20_000)]


def problem(loss, penalty=None, storage="dense", n=60, seed=0, weighted=True):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    X[rng.random(size=X.shape) < 0.3] = 0.0
    y = X @ np.array([1.0, -2.0, 0.5]) + rng.normal(size=n)
    y = y if loss.form == "residual" else (y > 0).astype(float)
    weight = rng.uniform(0.5, 1.5, size=n) / n if weighted else None
    X = sparse.csr_array(X) if storage == "sparse" else X
    return LinearProblem(X, y, weight, loss, penalty or penalties.L2(0.1))


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("loss", [losses.Squared(), losses.Logistic(), losses.Hinge()])
def test_a_batch_of_all_rows_is_gradient_descent(storage, loss):
    """optim.04: N_B = N equals the step of gradient descent, path and all."""
    whole = problem(loss, storage=storage)
    rows = RowSum.of(whole, "SGD")
    solver = SGD(batch=None, schedule=optim.Constant(0.1))
    progress, x = solver.begin(rows, np.zeros(4)), np.zeros(4)
    for _ in range(20):
        progress = solver.epoch(rows, progress)
        x = x - 0.1 * whole.expand(x).gradient
        assert_allclose(progress.w, x, rtol=1e-10, atol=1e-13)
    if loss.differentiable:
        wanted = minimise(whole, GradientDescent(step_length=0.1, max_iter=20, tol=1e-12))
        assert_allclose(progress.w, wanted.x, rtol=1e-10)


def test_a_batch_of_one_is_the_textbook_step():
    """optim.03: w <- (1 - tau l2) w - tau m s_i l'(z_i) x_i."""
    whole = problem(losses.Logistic())
    rows = RowSum.of(whole, "SGD")
    solver = SGD(schedule=InverseTime(0.5), shuffle=False)
    w = np.zeros(4)
    for t, (x, y, s) in enumerate(zip(whole.X, whole.y, whole.weight, strict=True)):
        tau = 0.5 / (1 + t)
        slope = 60 * s * (1 / (1 + np.exp(-(x @ w[:3] + w[3]))) - y)
        w = np.append((1 - tau * 0.1) * w[:3] - tau * slope * x, w[3] - tau * slope)
    assert_allclose(solver.epoch(rows, solver.begin(rows, np.zeros(4))).w, w, rtol=1e-12)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize(
    "penalty", [penalties.L2(0.1), penalties.L1(0.05), penalties.ElasticNet(0.1, 0.5)]
)
def test_decaying_steps_reach_the_minimum(storage, batch, penalty):
    """optim.03: with 1/t steps and an average, single rows find the minimum of the whole."""
    whole = problem(losses.Logistic(), penalty, storage)
    solver = SGD(
        # Beside exact zeros the least subgradient is small early: ask for more.
        tol=1e-2 if penalty.smooth else 1e-3,
        max_iter=400,
        batch=batch,
        schedule=InverseTime(0.5, 200.0),
        average=PolyakAverage(1200 // batch),
    )
    solution = minimise(whole, solver)
    best = minimise(whole, optim.FISTA(tol=1e-9, max_iter=20_000)).objective
    assert solution.objective - best < 1e-3
    if penalty.smooth:
        assert solution.status is Status.CONVERGED


def test_hinge_by_subgradients_reaches_the_support_vector_machine():
    """optim.18: 1/(lambda t) steps on the hinge approach the minimum of the SVM objective."""
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=300) > 0, 1.0, -1.0)
    lam = 0.05
    whole = LinearProblem(
        X, y, np.full(300, 1 / 300), losses.Hinge(), penalties.L2(lam), intercept=False
    )
    solver = SGD(
        tol=1e-9, max_iter=300, schedule=StronglyConvex(lam), average=PolyakAverage(30_000)
    )
    found = minimise(whole, solver)
    svm = LinearSVC(
        loss="hinge", C=1 / (lam * 300), fit_intercept=False, tol=1e-9, max_iter=200_000
    )
    best = whole.expand(svm.fit(X, y).coef_[0]).value
    assert -1e-6 < found.objective - best < 1e-3


def test_same_seed_same_path_and_any_storage():
    whole, thin = problem(losses.Logistic()), problem(losses.Logistic(), storage="sparse")
    one = minimise(whole, SGD(max_iter=5, tol=1e-12, seed=7))
    assert_array_equal(one.x, minimise(whole, SGD(max_iter=5, tol=1e-12, seed=7)).x)
    assert_allclose(one.x, minimise(thin, SGD(max_iter=5, tol=1e-12, seed=7)).x, rtol=1e-9)
    assert (one.x != minimise(whole, SGD(max_iter=5, tol=1e-12, seed=8)).x).all()


def test_certificate_is_the_gradient_of_the_whole():
    whole = problem(losses.Logistic(), penalties.L1(0.02))
    solution = minimise(whole, SGD(max_iter=7, tol=1e-12))
    assert solution.certificate.kind == "gradient norm"
    wanted = np.abs(whole.expand(solution.x).gradient).max()
    assert_allclose(solution.certificate.value, wanted)
    assert len(solution.trace["objective"]) == 8


def test_bad_settings_are_refused():
    for settings, text in (
        ({"batch": 0}, "SGD: batch must be an integer of at least 1, got 0"),
        ({"shuffle": 1}, "SGD: shuffle must be True or False, got 1"),
    ):
        with pytest.raises(ValueError, match=text):
            SGD(**settings)
