"""Weights of several kernels (kernels.32: alignment, multiple-kernel learning)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from margin.core import Status
from margin.kernels import (
    RBF,
    Constant,
    Linear,
    Matern,
    alignment,
    alignment_weights,
    combine,
    on_columns,
)

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = np.sin(2.0 * X[:, 0])
KERNELS = [on_columns(RBF(0.8), [j]) for j in range(3)]


@pytest.mark.parametrize("method", ["alignment", "ridge"])
def test_weight_goes_to_the_informative_kernel(method):
    combination = combine(KERNELS, X, y, method=method, alpha=0.1)
    assert (combination.weights >= 0).all()
    assert_allclose(combination.weights.sum(), 1.0)
    assert combination.weights[0] > 0.8
    wanted = sum(w * k(X) for w, k in zip(combination.weights, KERNELS, strict=True))
    assert_allclose(combination.kernel(X), wanted, rtol=1e-12)


def test_no_other_weights_align_better():
    """Against a search over directions."""
    kernels = [RBF(0.3), RBF(3.0), Linear()]
    combination = combine(kernels, X, y)
    matrices = np.array([k(X) for k in kernels])
    ideal = np.outer(y, y)

    def loss(v):
        return -alignment(np.tensordot(np.exp(v), matrices, 1), ideal, centred=True)

    best = min(minimize(loss, start).fun for start in (np.zeros(3), [-3, 0, 0], [0, -3, -3]))
    assert combination.alignment >= -best - 1e-7


def test_ridge_objective_never_rises_and_reaches_the_minimum():
    combination = combine([RBF(0.5), RBF(2.0), Matern(1.0)], X, y, method="ridge", alpha=0.3)
    assert (np.diff(combination.trace) <= 1e-12 * combination.trace[0]).all()
    matrices = np.array([k(X) for k in (RBF(0.5), RBF(2.0), Matern(1.0))])

    def objective(v):
        w = np.exp(v) / np.exp(v).sum()
        return 0.3 * y @ np.linalg.solve(np.tensordot(w, matrices, 1) + 0.3 * np.eye(60), y)

    assert combination.trace[-1] <= minimize(objective, np.zeros(3)).fun * (1 + 1e-3)


def test_ridge_says_how_its_search_ended():
    kernels = [RBF(0.5), RBF(2.0), Matern(1.0)]
    cut = combine(kernels, X, y, method="ridge", alpha=0.3, max_iter=2)
    assert cut.solution.status is Status.MAX_ITER
    assert len(cut.trace) == 3
    assert "stopped after max_iter=2 steps" in cut.solution.message
    full = combine(kernels, X, y, method="ridge", alpha=0.3, max_iter=1000, tol=1e-6)
    assert full.solution.status is Status.CONVERGED
    assert full.solution.objective == full.trace.min()
    nothing = combine(kernels, X, np.zeros(60), method="ridge")
    assert nothing.solution.status is Status.CONVERGED
    assert combine(kernels, X, y).solution is None


def test_labels():
    labels = np.where(X[:, 1] > 0, "up", "down")
    assert combine(KERNELS, X, labels).weights.argmax() == 1


def test_one_kernel_alone():
    assert combine([RBF(1.0)], X, y).weights.tolist() == [1.0]


def test_refusals():
    with pytest.raises(ValueError, match="combine: kernels must be at least one kernel"):
        combine([], X, y)
    with pytest.raises(ValueError, match="combine: method must be one of"):
        combine(KERNELS, X, y, method="magic")
    with pytest.raises(ValueError, match="combine: alpha must be a number above 0"):
        combine(KERNELS, X, y, method="ridge", alpha=0.0)
    with pytest.raises(ValueError, match="combine: max_iter must be an integer of at least 1"):
        combine(KERNELS, X, y, method="ridge", max_iter=0)
    with pytest.raises(ValueError, match="combine: tol must be a number of at least 0"):
        combine(KERNELS, X, y, method="ridge", tol=np.nan)
    with pytest.raises(ValueError, match="combine: kernels must be not all constant"):
        combine([Constant(1.0)], X, y)
    with pytest.raises(ValueError, match="combine: kernels must be not all constant"):
        combine([Constant(0.3), Constant(7.1)], X, y)


def test_weights_of_objects_are_repeated_objects():
    """kernels.32"""
    rng = np.random.default_rng(2)
    X, times = rng.normal(size=(12, 2)), rng.integers(0, 4, size=12)
    y = (X[:, 0] > 0).astype(int)
    parts = [on_columns(RBF(1.0), [0]), on_columns(RBF(1.0), [1]), Linear()]
    again = np.repeat(np.arange(12), times)
    weights = alignment_weights([k(X) for k in parts], y, times.astype(float))
    assert_allclose(weights, alignment_weights([k(X[again]) for k in parts], y[again]), atol=1e-8)
