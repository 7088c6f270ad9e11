"""Duality gaps (optim.20): true in extended precision, never negative, zero at the minimum."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import minimize

from margin.losses import Logistic, Softmax, Squared
from margin.optim import CoordinateDescent, LinearProblem, duality_gap
from margin.optim.columns._duality_gap import balanced, shrinkage
from margin.penalties import L1, L2, ElasticNet, Zero

PENALTIES = [L1(0.05), ElasticNet(0.1, 0.5), L2(0.1)]


def make(loss, penalty, *, intercept=True, weighted=True, n=40, p=6, seed=0, storage=np.asarray):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    score = X[:, 0] - X[:, 1] + rng.normal(size=n)
    y = score if isinstance(loss, Squared) else (score > 0).astype(float)
    weight = rng.random(n) / n if weighted else np.full(n, 1 / n)
    weight[3] = 0.0
    return LinearProblem(storage(X), y, weight, loss, penalty, intercept=intercept)


def objective(problem, x):
    """Mean loss plus penalty in extended precision."""
    X, y, s = (np.asarray(a, dtype=np.longdouble) for a in (problem.X, problem.y, problem.weight))
    w = np.asarray(x[: X.shape[1]], dtype=np.longdouble)
    z = X @ w + (np.longdouble(x[-1]) if problem.intercept else 0)
    if isinstance(problem.loss, Squared):
        loss = (z - y) ** 2 / 2
    else:
        loss = np.logaddexp(np.longdouble(0), z) - y * z
    penalty = shrinkage(problem.penalty)
    return s @ loss + penalty.l1 * np.abs(w).sum() + penalty.l2 * (w @ w) / 2


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_minimum_is_within_the_gap_of_any_point(loss, penalty, intercept, weighted):
    """optim.20: weak duality at random points and along the way to the minimum."""
    problem = make(loss, penalty, intercept=intercept, weighted=weighted)
    solver = CoordinateDescent(tol=1e-13, certificate="gradient norm")
    best = solver.run(problem)
    least = objective(problem, best.x)
    rng = np.random.default_rng(0)
    for size in (0.0, 1e-6, 1e-3, 0.1, 3.0):
        for _ in range(5):
            x = best.x + size * rng.normal(size=problem.dimension)
            excess = float(objective(problem, x) - least)
            gap = duality_gap(problem, x)
            assert gap >= excess - 1e-15
            if size <= 1e-6:
                assert gap <= 1e-4 + 1e-10
    assert duality_gap(problem, best.x) < 1e-10


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
def test_the_minimum_agrees_with_a_smooth_reformulation(loss):
    """optim.20: w = u - v with u, v >= 0 has no kinks; SciPy's answer is certified by our gap."""
    penalty = L1(0.05)
    problem = make(loss, penalty)
    p = 6

    def split(x):
        raw = np.append(x[:p] - x[p : 2 * p], x[-1])
        local = problem.expand(raw)
        g = local.smooth_gradient
        slope = np.concatenate([g[:p] + 0.05, -g[:p] + 0.05, g[-1:]])
        return local.smooth_value + 0.05 * x[: 2 * p].sum(), slope

    bounds = [(0, None)] * (2 * p) + [(None, None)]
    options = {"ftol": 1e-15, "gtol": 1e-12, "maxiter": 10_000, "maxcor": 50}
    peer = minimize(split, np.zeros(2 * p + 1), jac=True, bounds=bounds, options=options)
    raw = np.append(peer.x[:p] - peer.x[p : 2 * p], peer.x[-1])
    ours = CoordinateDescent(tol=1e-12).run(problem)
    assert_allclose(ours.x, raw, atol=1e-5)
    assert objective(problem, ours.x) <= objective(problem, raw) + 1e-14
    assert duality_gap(problem, raw) < 1e-6


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
@pytest.mark.parametrize("storage", [np.float32, sparse.csr_array])
def test_storage_does_not_matter(loss, storage):
    dense = make(loss, L1(0.05))
    other = make(loss, L1(0.05), storage=storage)
    x = np.random.default_rng(1).normal(size=dense.dimension)
    assert_allclose(duality_gap(dense, x), duality_gap(other, x), rtol=1e-4)


def test_balanced_slopes_sum_to_zero_and_stay_in_range():
    rng = np.random.default_rng(0)
    for shift in (-0.4, 0.0, 0.4):
        slope = rng.uniform(-0.5, 0.5, size=20) + shift
        even = balanced(slope)
        assert abs(even.sum()) < 1e-14
        assert (np.abs(even) <= np.abs(slope)).all()
        assert (even * slope >= 0).all()
    assert not balanced(np.ones(3)).any()


def test_refuses_what_has_no_dual_here():
    with pytest.raises(ValueError, match="duality_gap: problem must have"):
        duality_gap(make(Squared(), Zero()), np.zeros(7))
    X, y = np.ones((3, 1)), np.array([0, 1, 2])
    softmax = LinearProblem(X, y, None, Softmax(), L1(0.1), n_outputs=3)
    with pytest.raises(ValueError, match="got Softmax"):
        duality_gap(softmax, np.zeros(6))


def test_strengths_of_the_penalties_we_know():
    assert shrinkage(L1(2.0)).l1 == 2.0
    assert shrinkage(L2(2.0)).l2 == 2.0
    assert (shrinkage(ElasticNet(2.0, 0.25)).l1, shrinkage(ElasticNet(2.0, 0.25)).l2) == (0.5, 1.5)
    assert shrinkage(Zero(), positive=True).positive
