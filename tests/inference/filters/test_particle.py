"""The particle filter against the exact one."""

import numpy as np
import pytest

from margin.core import FitError
from margin.inference.filters._kalman import kalman_filter
from margin.inference.filters._linear_system import LinearSystem
from margin.inference.filters._particle import particle_filter

WALK = LinearSystem([[0.9]], [[1.0]], [[0.5]], [[1.0]], cov=[[2.0]])


def run(Y, **options):
    return particle_filter(
        lambda n, rng: np.sqrt(2.0) * rng.normal(size=(n, 1)),
        lambda x, rng: 0.9 * x + np.sqrt(0.5) * rng.normal(size=x.shape),
        lambda y, x: -0.5 * ((y - x[:, 0]) ** 2 + np.log(2 * np.pi)),
        Y,
        **options,
    )


def test_near_the_exact_filter():
    """sequence.39: means, variances and likelihood within the error of the draws."""
    rng = np.random.default_rng(0)
    Y = rng.normal(size=40)
    Y[7] = np.nan
    exact = kalman_filter(WALK, Y)
    found = run(Y, n_particles=20_000, rng=1)
    np.testing.assert_allclose(found.mean, exact.mean, atol=0.05)
    np.testing.assert_allclose(found.var, exact.cov[:, :, 0], atol=0.05)
    assert found.log_prob == pytest.approx(float(exact.log_prob[0]), abs=0.3)
    assert (found.effective <= 20_000 * (1 + 1e-9)).all()


def test_the_likelihood_is_unbiased():
    Y = np.array([0.5, -1.0, 2.0])
    exact = float(np.exp(kalman_filter(WALK, Y).log_prob[0]))
    draws = [np.exp(run(Y, n_particles=50, rng=seed).log_prob) for seed in range(400)]
    error = np.std(draws) / 20
    assert abs(np.mean(draws) - exact) < 4 * error


def test_seeds_and_refusals():
    assert run([1.0, 2.0], rng=3).log_prob == run([1.0, 2.0], rng=3).log_prob
    with pytest.raises(ValueError, match="n_particles must be at least 1"):
        run([1.0], n_particles=0)
    with pytest.raises(FitError, match="no particle can have made row 0"):
        particle_filter(
            lambda n, rng: np.zeros((n, 1)), lambda x, rng: x,
            lambda y, x: np.full(len(x), -np.inf), [1.0],
        )  # fmt: skip
