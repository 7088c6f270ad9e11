"""Extended and unscented filters: exact on linear systems, near the truth on a bent one."""

import numpy as np
import pytest
from systems import random_system

from margin.inference.filters._kalman import kalman_filter
from margin.inference.filters._nonlinear import (
    NonlinearSystem,
    extended_filter,
    unscented_filter,
)


@pytest.mark.parametrize("run", [extended_filter, unscented_filter])
def test_linear_functions_are_exact(run):
    rng = np.random.default_rng(0)
    at = random_system(rng, 3, 2)
    system = NonlinearSystem(
        lambda x: at.A @ x + at.b, lambda x: at.C @ x + at.d, at.Q, at.R, at.mean, at.cov
    )
    Y = rng.normal(size=(9, 2))
    Y[3] = Y[6, 1] = np.nan
    for one, two in zip(run(system, Y), kalman_filter(at, Y), strict=True):
        np.testing.assert_allclose(one, two, atol=1e-7)


@pytest.mark.parametrize("run", [extended_filter, unscented_filter])
def test_pendulum_is_followed(run):
    rng = np.random.default_rng(1)
    dt = 0.05

    def move(x):
        return np.array([x[0] + dt * x[1], x[1] - 9.8 * dt * np.sin(x[0])])

    system = NonlinearSystem(
        move, lambda x: np.sin(x[:1]), np.diag([1e-6, 1e-4]), np.array([[0.04]]),
        np.array([1.2, 0.0]), 0.1 * np.eye(2),
    )  # fmt: skip
    x, path, seen = np.array([1.0, 0.3]), [], []
    for _ in range(200):
        path.append(x)
        seen.append(np.sin(x[0]) + 0.2 * rng.normal())
        x = move(x) + np.sqrt([1e-6, 1e-4]) * rng.normal(size=2)
    found = run(system, seen)
    error = np.abs(found.mean[50:, 0] - np.array(path)[50:, 0]).mean()
    assert error < 0.1 < np.abs(np.array(seen) - np.sin(np.array(path)[:, 0])).mean()
    assert np.linalg.eigvalsh(found.cov).min() > 0


def test_refusals():
    system = NonlinearSystem(np.copy, np.copy, np.eye(1), np.eye(1), np.zeros(1), np.eye(1))
    with pytest.raises(ValueError, match="Y must be of 1 numbers per row"):
        extended_filter(system, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="alpha must be such that"):
        unscented_filter(system, np.zeros(3), kappa=-1.0)
