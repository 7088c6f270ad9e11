"""The rule of Widrow and Hoff, batch and stochastic (linear.04)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.linear import LinearRegression, SGDRegressor, least_mean_squares


def sample(n=30, p=3, noise=0.5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(1.0, 0.4, p)
    return X, X @ np.linspace(1.0, -2.0, p) + 3.0 + noise * rng.normal(size=n)


@pytest.mark.parametrize("rounds", [1, 2, 7, 40])
def test_batch_error_shrinks_by_the_matrix_of_the_step(rounds):
    """linear.04: w_t - w* = (I - eta A'A)^t (0 - w*), in closed form."""
    X, y = sample()
    A = np.column_stack([X, np.ones(30)])
    best, eta = np.linalg.lstsq(A, y)[0], 0.01
    solution = least_mean_squares(X, y, step=eta, tol=1e-300, max_iter=rounds)
    power = np.linalg.matrix_power(np.eye(4) - eta * A.T @ A, rounds)
    assert_allclose(solution.x, best - power @ best, rtol=1e-10)
    assert solution.n_iter == rounds
    assert len(solution.trace["objective"]) == rounds + 1


def test_batch_converges_up_to_twice_the_inverse_curvature():
    """linear.04: just below the limit it ends at least squares, just above it diverges."""
    X, y = sample()
    A = np.column_stack([X, np.ones(30)])
    limit = 2 / np.linalg.eigvalsh(A.T @ A)[-1]
    good = least_mean_squares(X, y, step=0.98 * limit, tol=1e-10, max_iter=5000)
    model = LinearRegression().fit(X, y)
    assert good.status is Status.CONVERGED
    assert_allclose(good.x, np.append(model.coef_, model.intercept_), rtol=1e-6)
    bad = least_mean_squares(X, y, step=1.02 * limit, tol=1e-10, max_iter=100_000)
    assert bad.status is Status.FAILED
    assert np.diff(bad.trace["objective"][-100:-1]).min() > 0


def test_batch_objective_never_rises_below_the_limit():
    """linear.04: the smallest fall is none."""
    X, y = sample()
    trace = least_mean_squares(X, y, tol=1e-12).trace["objective"]
    assert np.diff(trace).max() <= 1e-12 * trace[0]


def test_stochastic_pass_is_a_product_of_corrections():
    """linear.04: row after row, and exactly the constant steps of SGDRegressor."""
    X, y = sample()
    w = np.zeros(3)
    for x, target in zip(X, y, strict=True):
        w = w + 0.05 * (target - w @ x) * x
    one = least_mean_squares(
        X, y, rule="stochastic", step=0.05, fit_intercept=False, tol=1e-300, max_iter=1
    )
    assert_allclose(one.x, w, rtol=1e-12)
    sgd = SGDRegressor(
        penalty=None, learning_rate="constant", eta0=0.05, shuffle=False, fit_intercept=False
    )
    for _ in range(3):
        sgd.partial_fit(X, y)
    three = least_mean_squares(
        X, y, rule="stochastic", step=0.05, fit_intercept=False, tol=1e-300, max_iter=3
    )
    assert_allclose(sgd.coef_, three.x, rtol=1e-9)


def test_stochastic_rule_solves_equations_that_can_be_solved():
    """linear.04: without noise every row agrees at the end, at any fixed step below 2 / |x|^2."""
    X, y = sample(noise=0.0)
    widest = np.max(np.sum(np.column_stack([X, np.ones(30)]) ** 2, axis=1))
    for step in (0.1 / widest, 1.0 / widest, 1.9 / widest):
        solution = least_mean_squares(
            X, y, rule="stochastic", step=step, tol=1e-12, max_iter=20_000
        )
        assert solution.status is Status.CONVERGED
        assert_allclose(solution.x, [1.0, -0.5, -2.0, 3.0], atol=1e-8)


def test_stochastic_rule_ends_in_a_neighbourhood_that_shrinks_with_the_step():
    """linear.04: the fixed cycle of a pass, solved for; a tenth of the step, less bias."""
    X, y = sample(noise=1.0)
    A = np.column_stack([X, np.ones(30)])
    best = np.linalg.lstsq(A, y)[0]
    gaps = []
    for step in (0.02, 0.002):
        shrink, shift = np.eye(4), np.zeros(4)
        for x, target in zip(A, y, strict=True):
            factor = np.eye(4) - step * np.outer(x, x)
            shrink, shift = factor @ shrink, factor @ shift + step * target * x
        cycle = np.linalg.solve(np.eye(4) - shrink, shift)
        solution = least_mean_squares(X, y, rule="stochastic", step=step, tol=1e-12, max_iter=4000)
        assert_allclose(solution.x, cycle, rtol=1e-6)
        assert solution.status is Status.MAX_ITER
        gaps.append(np.linalg.norm(cycle - best))
    assert gaps[1] < 0.2 * gaps[0]


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"rule": "online"}, "rule must be one of 'batch', 'stochastic', got 'online'"),
        ({"step": 0.0}, "step must be a finite number above 0, got 0.0"),
        ({"tol": np.inf}, "tol must be a finite number above 0, got inf"),
        ({"max_iter": 0}, "max_iter must be an integer of at least 1, got 0"),
    ],
)
def test_refusals(settings, text):
    with pytest.raises(ValueError, match=f"least_mean_squares: {text}"):
        least_mean_squares(np.eye(2), [1.0, 2.0], **settings)
