"""Objectives by explicit loops, gradients by differences, the smallest norm by its optimality."""

import math

import numpy as np
import pytest
import scipy.interpolate
import scipy.sparse
from scipy.optimize import approx_fprime

from benchmarks import objectives
from benchmarks.data import Table

C = 0.7
rng = np.random.default_rng(5)
X = rng.standard_normal((9, 3))
BINARY = Table(X, rng.integers(0, 2, 9))
CLASSES = Table(X, np.arange(9) % 4)
REAL = Table(X, rng.standard_normal(9))
w, b = rng.standard_normal(3), 0.4
W, B = rng.standard_normal((4, 3)), rng.standard_normal(4)


def largest_slope(function, point):
    return np.abs(approx_fprime(point, function, 1e-7)).max()


def test_binary_objective_is_the_sum_written_out():
    total = 0.0
    for row, label in zip(X, BINARY.y, strict=True):
        probability = 1 / (1 + math.exp(-(sum(row * w) + b)))
        total -= math.log(probability if label else 1 - probability)
    expected = total / 9 + sum(w**2) / (2 * C * 9)
    assert objectives.binary_objective(BINARY, w, b, C) == pytest.approx(expected, rel=1e-12)


def test_binary_gradient_is_the_slope_of_the_objective():
    expected = largest_slope(
        lambda v: objectives.binary_objective(BINARY, v[:3], v[3], C), np.append(w, b)
    )
    assert objectives.binary_gradient(BINARY, w, b, C) == pytest.approx(expected, rel=1e-5)


def test_hinge_objective_is_the_sum_written_out():
    total = 0.0
    for row, label in zip(X, BINARY.y, strict=True):
        total += max(0.0, 1 - (1 if label else -1) * (sum(row * w) + b))
    expected = total / 9 + 0.3 * sum(w**2) / 2
    assert objectives.hinge_objective(BINARY, w, b, 0.3) == pytest.approx(expected, rel=1e-12)


def test_spline_objective_has_the_roughness_of_the_natural_spline():
    x = np.array([0.0, 1.0, 2.5, 3.0])
    values, table = np.array([0.0, 1.0, -1.0, 0.5]), Table(x, np.array([0.1, 1.0, -1.0, 0.5]))
    curve = scipy.interpolate.CubicSpline(x, values, bc_type="natural")
    fine = np.linspace(0, 3, 300_001)
    rough = np.trapezoid(curve(fine, 2) ** 2, fine)
    expected = (0.01 + 2.0 * rough) / 4
    assert objectives.spline_objective(table, values, 2.0) == pytest.approx(expected, rel=1e-6)


def test_binary_gradient_sees_the_intercept():
    flat = Table(np.zeros((4, 1)), np.array([0, 0, 0, 1]))
    assert objectives.binary_gradient(flat, np.zeros(1), 0.0, C) == pytest.approx(0.25)


def test_sparse_and_dense_agree():
    sparse = Table(scipy.sparse.csr_matrix(X), BINARY.y)
    for function in (objectives.binary_objective, objectives.binary_gradient):
        assert function(sparse, w, b, C) == pytest.approx(function(BINARY, w, b, C), rel=1e-13)


def test_softmax_objective_is_the_sum_written_out():
    total = 0.0
    for row, label in zip(X, CLASSES.y, strict=True):
        scores = [math.exp(sum(row * W[k]) + B[k]) for k in range(4)]
        total -= math.log(scores[label] / sum(scores))
    expected = total / 9 + (W**2).sum() / (2 * C * 9)
    assert objectives.softmax_objective(CLASSES, W, B, C) == pytest.approx(expected, rel=1e-12)


def test_softmax_gradient_is_the_slope_of_the_objective():
    expected = largest_slope(
        lambda v: objectives.softmax_objective(CLASSES, v[:12].reshape(4, 3), v[12:], C),
        np.append(W.ravel(), B),
    )
    assert objectives.softmax_gradient(CLASSES, W, B, C) == pytest.approx(expected, rel=1e-5)


def test_penalised_rss_is_one_for_the_mean_alone():
    assert objectives.penalised_rss(REAL, np.zeros(3), REAL.y.mean(), 2.0) == pytest.approx(1.0)


def test_penalised_rss_is_the_sum_written_out():
    residuals = [y - sum(row * w) - b for row, y in zip(X, REAL.y, strict=True)]
    total = sum((y - REAL.y.mean()) ** 2 for y in REAL.y)
    expected = (sum(r**2 for r in residuals) + 2.0 * sum(w**2)) / total
    assert objectives.penalised_rss(REAL, w, b, 2.0) == pytest.approx(expected, rel=1e-12)


def test_ridge_gradient_is_half_the_slope_of_the_penalised_squares():
    def squares(v):
        residual = REAL.y - X @ v[:3] - v[3]
        return 0.5 * residual @ residual + 0.5 * 2.0 * v[:3] @ v[:3]

    start = np.abs(X.T @ (REAL.y - REAL.y.mean())).max()
    expected = largest_slope(squares, np.append(w, b)) / start
    assert objectives.ridge_gradient(REAL, w, b, 2.0) == pytest.approx(expected, rel=1e-5)


def test_ridge_gradient_vanishes_at_the_solution_of_the_normal_equations():
    centred = X - X.mean(axis=0)
    solution = np.linalg.solve(centred.T @ centred + 2.0 * np.eye(3), centred.T @ REAL.y)
    intercept = REAL.y.mean() - X.mean(axis=0) @ solution
    assert objectives.ridge_gradient(REAL, solution, intercept, 2.0) < 1e-14


def test_norm_excess_is_zero_only_at_the_shortest_solution():
    wide = Table(rng.standard_normal((4, 7)) + 1.0, rng.standard_normal(4))
    centred = wide.X - wide.X.mean(axis=0)
    targets = wide.y - wide.y.mean()
    # Any three rows of the centred system imply the fourth, and they have full row rank.
    rows, right = centred[:3], targets[:3]
    shortest = rows.T @ np.linalg.solve(rows @ rows.T, right)
    null = np.linalg.svd(centred)[2][-1]
    assert objectives.norm_excess(wide, shortest) < 1e-12
    longer = shortest + null
    np.testing.assert_allclose(centred @ longer, targets, atol=1e-12)
    expected = np.linalg.norm(longer) / np.linalg.norm(shortest) - 1
    assert objectives.norm_excess(wide, longer) == pytest.approx(expected)
