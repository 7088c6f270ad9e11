"""Covariance between targets against dense brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.gp.regression._coregionalization import Coregionalized, Measurements
from margin.kernels import RBF

RNG = np.random.default_rng(0)
X = RNG.normal(size=(9, 2))
Y = RNG.normal(size=(9, 3))
Y[[1, 4, 5], [0, 2, 2]] = np.nan
SEEN = Measurements.of(X, Y)
ROOT = np.array([[1.0, 0, 0], [0.5, 0.8, 0], [-0.3, 0.2, 0.6]])
MODEL = Coregionalized(ROOT, np.array([0.1, 0.2, 0.3]))
KERNEL = RBF((1.0, 0.7))


def entries():
    return [(i, t) for t in range(3) for i in range(9) if not np.isnan(Y[i, t])]


def covariance(a, b):
    K = KERNEL(X, X.copy())
    return np.array([[MODEL.between[s, t] * K[i, j] for j, t in b] for i, s in a])


def test_measurements_are_the_observed_entries():
    assert SEEN.n == 24
    assert list(zip(SEEN.rows, SEEN.targets, strict=True)) == entries()
    np.testing.assert_array_equal(SEEN.values, [Y[i, t] for i, t in entries()])


def test_likelihood_is_the_normal_density_of_contrasts():
    cov = covariance(entries(), entries()) + np.diag([MODEL.noise[t] for _, t in entries()])
    filler = RNG.normal(size=(24, 21))
    contrasts = np.linalg.qr(np.column_stack([SEEN.levels, filler]))[0][:, 3:]
    wanted = multivariate_normal(cov=contrasts.T @ cov @ contrasts).logpdf(
        contrasts.T @ SEEN.values
    )
    assert MODEL.evaluate(KERNEL, SEEN).value == pytest.approx(wanted, rel=1e-10)


def test_the_start_has_the_correlations_of_the_targets():
    signal = RNG.normal(size=(200, 1))
    made = Coregionalized.guess(np.hstack([signal, -signal, RNG.normal(size=(200, 1))]))
    np.testing.assert_allclose(made.between[0, 1], -0.8, atol=0.2)
    assert abs(made.between[0, 2]) < 0.2
    assert np.diagonal(made.root).min() > 0


def test_gradient_and_round_trip():
    start = np.concatenate([KERNEL.theta, MODEL.extra()])

    def value(t):
        return MODEL.with_extra(t[2:]).evaluate(KERNEL.with_theta(t[:2]), SEEN).value

    assert value(start) == pytest.approx(MODEL.evaluate(KERNEL, SEEN).value, rel=1e-12)
    numeric = [
        (value(start + 1e-5 * e) - value(start - 1e-5 * e)) / 2e-5 for e in np.eye(len(start))
    ]
    np.testing.assert_allclose(MODEL.evaluate(KERNEL, SEEN).gradient, numeric, rtol=1e-5, atol=1e-6)
    assert MODEL.bounds().shape == (9, 2)


def test_posterior_is_the_conditional():
    """Unknown levels are the limit of a wide normal prior."""
    same = np.array([[s == t for _, t in entries()] for _, s in entries()])
    cov = covariance(entries(), entries()) + 1e6 * same
    cov += np.diag([MODEL.noise[t] for _, t in entries()])
    mean, var = MODEL.condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    for i, t in ((0, 0), (4, 2), (8, 1)):
        cross = covariance([(i, t)], entries())[0] + 1e6 * np.array([s == t for _, s in entries()])
        assert mean[i, t] == pytest.approx(cross @ np.linalg.solve(cov, SEEN.values), rel=1e-4)
        wanted = MODEL.between[t, t] + 1e6 - cross @ np.linalg.solve(cov, cross)
        assert var[i, t] == pytest.approx(wanted, rel=1e-3)
