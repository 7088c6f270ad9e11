import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference.sampling._leapfrog import Metric, departing, first_step, leapfrog

RNG = np.random.default_rng(0)
ROOT = RNG.normal(size=(4, 4))
PRECISION = ROOT @ ROOT.T + np.eye(4)
DENSE = Metric(np.linalg.inv(PRECISION))
PLAIN = Metric(np.array([0.3, 0.5, 1.0, 2.0]))


def normal(x):
    return -0.5 * float(x @ PRECISION @ x) + float(np.sin(x).sum()), -PRECISION @ x + np.cos(x)


def begin(metric, seed=0):
    x = np.array([0.3, -0.2, 0.1, 0.5])
    return departing(metric, x, *normal(x), np.random.default_rng(seed))


@pytest.mark.parametrize("metric", [DENSE, PLAIN])
def test_motion_can_be_undone(metric):
    at = begin(metric)
    there = at
    for _ in range(30):
        there = leapfrog(normal, metric, there, 0.1)
    for _ in range(30):
        there = leapfrog(normal, metric, there, -0.1)
    for before, after in zip(at, there, strict=True):
        assert_allclose(after, before, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("metric", [DENSE, PLAIN])
def test_velocities_belong_to_their_momenta(metric):
    there = leapfrog(normal, metric, begin(metric), 0.2)
    assert_allclose(there.velocity, metric.velocity(there.momentum), rtol=1e-12)
    assert_allclose(there.pull, metric.velocity(there.gradient), rtol=1e-12)


def test_energy_errors_fall_with_the_square_of_the_step():
    """inference.25: over a path of the same length."""
    errors = []
    for step in (0.2, 0.1, 0.05, 0.025):
        there = begin(PLAIN)
        start = there.log_joint
        for _ in range(round(2.0 / step)):
            there = leapfrog(normal, PLAIN, there, step)
        errors.append(abs(there.log_joint - start))
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert rates[-1] == pytest.approx(2.0, abs=0.15)


def test_volume_is_kept():
    """The map of position and momentum has determinant one."""

    def moved(z):
        x, momentum = z[:4], z[4:]
        at = begin(PLAIN)._replace(x=x, momentum=momentum, velocity=PLAIN.velocity(momentum))
        value, gradient = normal(x)
        at = at._replace(value=value, gradient=gradient, pull=PLAIN.velocity(gradient))
        there = leapfrog(normal, PLAIN, at, 0.3)
        return np.concatenate([there.x, there.momentum])

    z, h = RNG.normal(size=8), 1e-6
    columns = [(moved(z + h * e) - moved(z - h * e)) / (2 * h) for e in np.eye(8)]
    assert np.linalg.det(np.stack(columns, axis=1)) == pytest.approx(1.0, abs=1e-6)


def test_momenta_have_the_inverse_covariance():
    rng = np.random.default_rng(1)
    draws = np.stack([DENSE.draw(rng) for _ in range(40_000)])
    assert_allclose(np.cov(draws.T), PRECISION, atol=0.35)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_the_first_step_suits_the_scale(scale):
    def narrow(x):
        return -0.5 * float(x @ x) / scale**2, -x / scale**2

    metric, x = Metric(np.ones(3)), np.full(3, scale)
    at = departing(metric, x, *narrow(x), np.random.default_rng(0))
    step = first_step(narrow, metric, at, np.random.default_rng(0))
    assert 0.05 < step / scale < 50
