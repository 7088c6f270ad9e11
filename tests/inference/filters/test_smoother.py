"""The smoother against the joint normal distribution written out."""

import numpy as np
import pytest
from joint_gaussian import given
from systems import random_system

from margin.inference.filters._linear_system import LinearSystem
from margin.inference.filters._smoother import kalman_smoother, noise_slopes

SHAPES = [(1, 1), (2, 1), (1, 3), (3, 2), (4, 4)]


def holes(rng, Y):
    Y = Y.copy()
    Y[rng.random(Y.shape) < 0.3] = np.nan
    Y[1] = np.nan
    return Y


@pytest.mark.parametrize(("n", "m"), SHAPES)
@pytest.mark.parametrize("rows", [None, 6])
def test_smoother_is_the_conditional_distribution(n, m, rows):
    """sequence.35, sequence.37: means (the most probable path), covariances, neighbours."""
    rng = np.random.default_rng(n * 10 + m)
    system = random_system(rng, n, m, rows)
    Y = holes(rng, rng.normal(size=(6, m)))
    found = kalman_smoother(system, Y, cross=True)
    mean, cov, log_prob = given(system, Y)
    assert found.log_prob[0] == pytest.approx(log_prob, rel=1e-10)
    np.testing.assert_allclose(found.mean.ravel(), mean, atol=1e-9)
    for t in range(6):
        now = slice(t * n, t * n + n)
        np.testing.assert_allclose(found.cov[t], cov[now, now], atol=1e-9)
        if t:
            before = slice(t * n - n, t * n)
            np.testing.assert_allclose(found.cross[t], cov[now, before], atol=1e-9)


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_settled_covariances_change_nothing(n, m):
    rng = np.random.default_rng(3)
    short = random_system(rng, n, m)
    Y = rng.normal(size=(500, m))
    Y[200, 0] = np.nan
    long = short.with_(A=np.repeat(short.A[None], 500, axis=0))
    quick, full = (kalman_smoother(s, Y, cross=True) for s in (short, long))
    for one, two in zip(quick, full, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("n", "rank"), [(1, 1), (2, 1), (3, 2), (3, 3)])
def test_diffuse_start_is_the_limit(n, rank):
    rng = np.random.default_rng(n + rank)
    basis = rng.normal(size=(n, rank))
    system = random_system(rng, n, 1, diffuse=basis @ basis.T, C=rng.normal(size=(1, n)))
    Y = rng.normal(size=(9, 1))
    Y[1] = np.nan
    found = kalman_smoother(system, Y)
    mean, cov, _ = given(system, Y, 1e6)
    np.testing.assert_allclose(found.mean.ravel(), mean, rtol=1e-3, atol=1e-3)
    for t in range(9):
        now = slice(t * n, t * n + n)
        np.testing.assert_allclose(found.cov[t], cov[now, now], rtol=2e-3, atol=2e-3)


def test_singular_covariances():
    """A shift register, whose predicted covariance has no inverse."""
    A, C = np.array([[0.5, -0.3], [1.0, 0.0]]), np.array([[1.0, 0.0]])
    system = LinearSystem(A, C, np.diag([1.0, 0.0]), [[0.0]], cov=np.diag([2.0, 1.0]))
    Y = np.array([[1.0], [np.nan], [0.5], [2.0]])
    found = kalman_smoother(system, Y, cross=True)
    mean, cov, _ = given(system, Y)
    np.testing.assert_allclose(found.mean.ravel(), mean, atol=1e-10)
    assert found.cov[0, 0, 0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(found.cross[1], cov[2:4, :2], atol=1e-10)


@pytest.mark.parametrize("diffuse", [None, np.diag([1.0, 0.0, 1.0])])
@pytest.mark.parametrize("T", [5, 300])
def test_slopes_against_differences(diffuse, T):
    rng = np.random.default_rng(9)
    for m in (1, 2):
        system = random_system(rng, 3, m, diagonal=True, diffuse=diffuse)
        Y = rng.normal(size=(T, m))
        Y[2, 0] = np.nan
        found, h = noise_slopes(system, Y), 1e-5

        def log_prob(Q=system.Q, R=system.R, base=system, data=Y):
            return kalman_smoother(base.with_(Q=Q, R=R), data).log_prob[0]

        assert found.log_prob == pytest.approx(log_prob(), rel=1e-12)
        for i in range(m):
            step = h * np.diag(np.eye(m)[i])
            true = (log_prob(R=system.R + step) - log_prob(R=system.R - step)) / (2 * h)
            assert found.by_output_noise[i] == pytest.approx(true, rel=1e-4, abs=1e-5)
        for i in range(3):
            for j in range(i + 1):
                step = np.zeros((3, 3))
                step[i, j] += h / 2
                step[j, i] += h / 2
                true = (log_prob(Q=system.Q + step) - log_prob(Q=system.Q - step)) / (2 * h)
                slope = (found.by_state_noise[i, j] + found.by_state_noise[j, i]) / 2
                assert slope == pytest.approx(true, rel=1e-4, abs=1e-5)


def test_refusals():
    rng = np.random.default_rng(1)
    walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], diffuse=[[1.0]])
    with pytest.raises(ValueError, match="cross must be False with a diffuse start"):
        kalman_smoother(walk, [1.0], cross=True)
    with pytest.raises(ValueError, match="R must be diagonal"):
        noise_slopes(random_system(rng, 2, 2), np.zeros((3, 2)))
