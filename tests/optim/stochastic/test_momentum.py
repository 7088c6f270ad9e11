"""Stochastic steps with momentum (optim.05, optim.06)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import losses, optim, penalties
from margin.core import Status
from margin.optim import GradientDescent, LinearProblem, MomentumSGD, RowSum, minimise
from margin.testing import SolverContract


class TestMomentumContract(SolverContract):
    monotone = False
    conditions = (1.0, 10.0)

    def make(self):
        return [
            MomentumSGD(tol=1e-3, max_iter=20_000),
            MomentumSGD(tol=1e-3, max_iter=2000, kind="heavy-ball", momentum=0.8, batch=None),
            MomentumSGD(tol=1e-3, max_iter=2000, kind="nesterov", momentum=0.8, batch=None),
        ]


def problem(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(float)
    return LinearProblem(X, y, np.full(n, 1 / n), losses.Logistic(), penalties.L2(0.1))


def test_averaged_gradient_is_the_weighted_sum_of_all_gradients():
    """optim.05: a gradient of s steps ago has the weight mu (1 - mu)^s."""
    whole = problem()
    rows = RowSum.of(whole, "MomentumSGD")
    mu, tau = 0.2, 0.05
    solver = MomentumSGD(momentum=mu, schedule=optim.Constant(tau), shuffle=False)
    progress = solver.epoch(rows, solver.begin(rows, np.zeros(4)))
    w, gradients = np.zeros(4), []
    for x, y in zip(whole.X, whole.y, strict=True):
        slope = 1 / (1 + np.exp(-(x @ w[:3] + w[3]))) - y
        gradients.append(slope * np.append(x, 1.0) + 0.1 * np.append(w[:3], 0.0))
        weights = mu * (1 - mu) ** np.arange(len(gradients))[::-1]
        w = w - tau * weights @ np.array(gradients)
    assert_allclose(progress.w, w, rtol=1e-10)
    assert_allclose(progress.arrays[0], weights @ np.array(gradients), rtol=1e-10)


def test_a_long_memory_behaves_as_gradient_descent():
    """optim.05: with 1/mu about N, an epoch is close to N steps along the whole gradient."""
    whole = problem(n=400)
    rows = RowSum.of(whole, "MomentumSGD")
    tau = 0.002
    solver = MomentumSGD(momentum=1 / 400, schedule=optim.Constant(tau))
    progress = solver.begin(rows, np.zeros(4))
    for _ in range(30):
        progress = solver.epoch(rows, progress)
    wanted = minimise(whole, GradientDescent(step_length=tau, max_iter=12_000, tol=1e-12))
    assert np.linalg.norm(progress.w - wanted.x) < 0.02 * np.linalg.norm(wanted.x)


@pytest.mark.parametrize("kind", ["heavy-ball", "nesterov"])
def test_whole_batches_follow_the_recursion(kind):
    """optim.06: B <- B - tau dB + mu (B - B_prev), gradients ahead for Nesterov."""
    whole = problem()
    rows = RowSum.of(whole, "MomentumSGD")
    solver = MomentumSGD(kind=kind, momentum=0.7, schedule=optim.Constant(0.1), batch=None)
    progress, x, before = solver.begin(rows, np.zeros(4)), np.zeros(4), np.zeros(4)
    for _ in range(25):
        progress = solver.epoch(rows, progress)
        at = x + 0.7 * (x - before) if kind == "nesterov" else x
        x, before = x - 0.1 * whole.expand(at).gradient + 0.7 * (x - before), x
        assert_allclose(progress.w, x, rtol=1e-9, atol=1e-12)


def test_no_momentum_is_plain_descent():
    whole = problem()
    one = minimise(whole, MomentumSGD(kind="heavy-ball", momentum=0.0, max_iter=3, tol=1e-12))
    two = minimise(whole, optim.SGD(max_iter=3, tol=1e-12))
    assert_allclose(one.x, two.x, rtol=1e-10)
    full = minimise(whole, MomentumSGD(momentum=1.0, max_iter=3, tol=1e-12))
    assert_allclose(full.x, two.x, rtol=1e-10)


def test_a_penalty_with_kinks_is_refused():
    whole = LinearProblem(
        np.ones((2, 1)), np.array([0.0, 1.0]), None, losses.Logistic(), penalties.L1(0.1)
    )
    for solver in (MomentumSGD(), optim.Adam()):
        name = type(solver).__name__
        with pytest.raises(ValueError, match=f"{name}: penalty must be smooth, got L1"):
            minimise(whole, solver)


def test_bad_settings_are_refused():
    for settings, text in (
        ({"momentum": 1.1}, "MomentumSGD: momentum must be a number between 0 and 1"),
        ({"kind": "ball"}, "MomentumSGD: kind must be one of 'averaged-gradient'"),
        ({"batch": 0}, "MomentumSGD: batch must be an integer of at least 1"),
    ):
        with pytest.raises(ValueError, match=text):
            MomentumSGD(**settings)


def test_divergence_is_no_convergence():
    solver = MomentumSGD(
        kind="heavy-ball", momentum=0.9, schedule=optim.Constant(100.0), max_iter=10
    )
    with np.errstate(all="ignore"):
        solution = minimise(problem(), solver)
    assert solution.status in (Status.MAX_ITER, Status.FAILED)
    assert solution.objective <= solution.trace["objective"][0]
