"""Companion form: the same series, the same law."""

import numpy as np
import pytest

from margin.inference import kalman_log_likelihood
from margin.sequence import companion
from margin.sequence.autoregressive._companion import companion_system, spectral_radius


def test_powers_continue_the_series():
    """sequence.29: the matrix does what the recursion does."""
    a, v = np.array([0.5, -0.3, 0.2]), [1.0, 2.0, -1.0]
    for _ in range(5):
        v.append(a @ v[-1:-4:-1])
    state = np.linalg.matrix_power(companion(a), 5) @ np.array([-1.0, 2.0, 1.0])
    np.testing.assert_allclose(state, v[-1:-4:-1])


@pytest.mark.parametrize(
    ("coef", "stable"), [([0.5, 0.3], True), ([1.0], False), ([-1.1], False), ([0.5, 0.6], False)]
)
def test_stationary_iff_roots_are_inside(coef, stable):
    assert (spectral_radius(np.array(coef)) < 1.0 - 1e-9) == stable


def test_law_of_a_stationary_series():
    """sequence.27: variance 1 / (1 - a^2), covariances a^k of it."""
    a, T = 0.6, 4
    system = companion_system(np.array([a]), 0.8, 1.0)
    lags = np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    cov = a**lags / (1 - a**2)
    v = np.array([1.0, 3.0, 2.0, 0.5])
    gap = v - 0.8 / (1 - a)
    true = -0.5 * (gap @ np.linalg.solve(cov, gap) + np.linalg.slogdet(2 * np.pi * cov)[1])
    assert kalman_log_likelihood(system, v)[0] == pytest.approx(true, rel=1e-10)


def test_flat_start_of_an_explosive_series():
    system = companion_system(np.array([1.5, 0.1]), 0.2, 2.0)
    v = np.array([1.0, 2.0, 3.5, 5.0])
    rest = v[2:] - (0.2 + 1.5 * v[1:-1] + 0.1 * v[:-2])
    true = -0.5 * (rest @ rest / 2.0 + 2 * np.log(2.0) + 4 * np.log(2 * np.pi))
    # Flat is the number before the series, 0.1 of which the second number is made of.
    assert kalman_log_likelihood(system, v)[0] == pytest.approx(true - np.log(0.1), rel=1e-9)
