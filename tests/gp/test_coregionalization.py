"""Covariance between targets against dense brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from margin.gp._coregionalization import Coregionalized, Measurements
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
    made = np.array([[MODEL.between[s, t] * K[i, j] for j, t in b] for i, s in a])
    return made


def test_measurements_are_the_observed_entries():
    assert SEEN.n == 24
    assert list(zip(SEEN.rows, SEEN.targets, strict=True)) == entries()
    np.testing.assert_array_equal(SEEN.values, [Y[i, t] for i, t in entries()])


def test_likelihood_is_the_normal_density():
    cov = covariance(entries(), entries()) + np.diag([MODEL.noise[t] for _, t in entries()])
    wanted = multivariate_normal(cov=cov).logpdf(SEEN.values)
    assert MODEL.evaluate(KERNEL, SEEN).value == pytest.approx(wanted, rel=1e-10)


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
    cov = covariance(entries(), entries()) + np.diag([MODEL.noise[t] for _, t in entries()])
    mean, var = MODEL.condition(KERNEL, SEEN).predict(KERNEL, X, KERNEL.diag(X))
    for i, t in ((0, 0), (4, 2), (8, 1)):
        cross = covariance([(i, t)], entries())[0]
        assert mean[i, t] == pytest.approx(cross @ np.linalg.solve(cov, SEEN.values))
        wanted = MODEL.between[t, t] - cross @ np.linalg.solve(cov, cross)
        assert var[i, t] == pytest.approx(wanted)
