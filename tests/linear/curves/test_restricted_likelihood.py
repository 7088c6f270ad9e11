import numpy as np
import pytest
from scipy.linalg import null_space

from margin.linear.curves._restricted_likelihood import (
    _NOISE_FLOOR,
    _PRIOR_VARIANCE,
    RestrictedLikelihood,
)

RNG = np.random.default_rng(0)
N = 30
Z = RNG.normal(size=(N, 7))
Z -= Z.mean(axis=0)
Y = Z[:, :3] @ [1.0, -2.0, 0.5] + RNG.normal(size=N)
Y -= Y.mean()
GROUP = np.array([0, 0, 1, 1, 1, 2, 2])
MODEL = RestrictedLikelihood(Z.T @ Z, Z.T @ Y, float(Y @ Y), float(N), GROUP)


def brute_force(alpha, y=Y):
    """Minus the log-likelihood of contrasts free of the mean, at the best noise variance."""
    contrasts = null_space(np.ones((1, N)))
    shape = contrasts.T @ (np.eye(N) + Z @ np.diag(1 / alpha[GROUP]) @ Z.T) @ contrasts
    rest = contrasts.T @ y
    squares = rest @ np.linalg.solve(shape, rest) + _NOISE_FLOOR * y @ y
    return 0.5 * ((N - 1) * np.log(squares) + np.linalg.slogdet(shape)[1])


def test_objective_is_the_likelihood_of_contrasts():
    """linear.21: restricted likelihood by its definition."""
    values = []
    for _ in range(5):
        theta = RNG.normal(scale=2.0, size=3)
        prior = theta @ theta / (2 * _PRIOR_VARIANCE)
        values.append(N * MODEL.expand(theta)[0] - prior - brute_force(MODEL.alpha(theta)))
    np.testing.assert_allclose(values, values[0], atol=1e-10)


def test_derivatives():
    theta, step = np.array([0.5, -1.0, 2.0]), 1e-5
    shifts = step * np.eye(3)
    numeric = [
        (MODEL.expand(theta + s)[0] - MODEL.expand(theta - s)[0]) / (2 * step) for s in shifts
    ]
    np.testing.assert_allclose(MODEL.expand(theta)[1], numeric, atol=1e-9)
    bend = np.array(
        [(MODEL.expand(theta + s)[1] - MODEL.expand(theta - s)[1]) / (2 * step) for s in shifts]
    )
    values, vectors = np.linalg.eigh((bend + bend.T) / 2)
    np.testing.assert_allclose(
        MODEL.hessian(theta), (vectors * np.abs(values)) @ vectors.T, atol=1e-9
    )


def test_solution_of_the_penalised_squares():
    alpha = np.array([0.5, 2.0, 7.0])
    found = MODEL.solve(alpha)
    A = np.diag(alpha[GROUP])
    np.testing.assert_allclose((Z.T @ Z + A) @ found.coef, Z.T @ Y)
    np.testing.assert_allclose(found.covariance @ (Z.T @ Z + A), np.eye(7), atol=1e-12)
    residual = Y - Z @ found.coef
    squares = residual @ residual + found.coef @ A @ found.coef
    assert found.squares == pytest.approx(squares + _NOISE_FLOOR * Y @ Y)
    assert found.log_det == pytest.approx(np.linalg.slogdet(Z.T @ Z + A)[1])


def test_extreme_strengths_stay_finite():
    for theta in (np.full(3, -1e3), np.full(3, 1e3)):
        value, slope = MODEL.expand(theta)
        assert np.isfinite(value)
        np.testing.assert_allclose(slope, theta / (_PRIOR_VARIANCE * N))


def test_sums_are_those_of_the_solution():
    alpha = np.array([0.5, 2.0, 7.0])
    fit, sums = MODEL.solve(alpha), MODEL.sums(alpha)
    np.testing.assert_allclose(sums.coef, fit.coef, rtol=1e-12)
    assert sums.squares == pytest.approx(fit.squares, rel=1e-12)
    assert sums.log_det == pytest.approx(fit.log_det, rel=1e-12)
    for g in range(3):
        assert sums.energy[g] == pytest.approx(alpha[g] * np.sum(fit.coef[g == GROUP] ** 2))
        spread = np.trace(fit.covariance[np.ix_(g == GROUP, g == GROUP)])
        assert sums.spread[g] == pytest.approx(alpha[g] * spread)
