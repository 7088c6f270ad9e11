"""The filter against the joint normal distribution written out."""

import numpy as np
import pytest
from joint_gaussian import given
from systems import random_system

from margin.core import Sequences
from margin.inference.filters._kalman import kalman_filter, kalman_log_likelihood
from margin.inference.filters._linear_system import LinearSystem

SHAPES = [(1, 1), (2, 1), (1, 3), (3, 2), (4, 4)]


def holes(rng, Y):
    Y = Y.copy()
    Y[rng.random(Y.shape) < 0.3] = np.nan
    Y[1] = np.nan
    return Y


@pytest.mark.parametrize(("n", "m"), SHAPES)
@pytest.mark.parametrize("rows", [None, 6])
def test_filter_is_the_conditional_distribution(n, m, rows):
    """sequence.33, sequence.36: moments and likelihood, with holes and matrices that change."""
    rng = np.random.default_rng(n * 10 + m)
    system = random_system(rng, n, m, rows)
    Y = holes(rng, rng.normal(size=(6, m)))
    found = kalman_filter(system, Y)
    for t in range(6):
        for upto, mean, cov in (
            (t + 1, found.mean, found.cov),
            (t, found.predicted_mean, found.predicted_cov),
        ):
            seen = np.where(np.arange(6)[:, None] < upto, Y, np.nan)
            all_mean, all_cov, _ = given(system, seen)
            part = slice(t * n, t * n + n)
            np.testing.assert_allclose(mean[t], all_mean[part], atol=1e-9)
            np.testing.assert_allclose(cov[t], all_cov[part, part], atol=1e-9)
    assert found.log_prob[0] == pytest.approx(given(system, Y)[2], rel=1e-10)


@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_settled_covariances_change_nothing(n, m):
    """The shortcut is exact to rounding: one matrix for all rows, or the same for each."""
    rng = np.random.default_rng(3)
    short = random_system(rng, n, m)
    Y = rng.normal(size=(400, m))
    Y[200, 0] = np.nan
    long = short.with_(A=np.repeat(short.A[None], 400, axis=0))
    quick, full = kalman_filter(short, Y), kalman_filter(long, Y)
    for one, two in zip(quick, full, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)
    assert kalman_log_likelihood(short, Y)[0] == pytest.approx(full.log_prob[0], rel=1e-12)


def test_golden_ratio():
    """sequence.33: A = B = Q = R = 1 settles at F = K = 0.618…, P = 1.618…"""
    walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]], cov=[[3.0]])
    found = kalman_filter(walk, np.zeros(100))
    assert found.cov[-1, 0, 0] == pytest.approx(0.618033988749895, abs=1e-14)
    assert found.predicted_cov[-1, 0, 0] == pytest.approx(1.618033988749895, abs=1e-14)
    other = kalman_filter(walk, np.arange(100.0))
    np.testing.assert_array_equal(found.cov, other.cov)


def test_diffuse_start_is_the_limit():
    rng = np.random.default_rng(5)
    for n, rank in ((1, 1), (3, 2), (3, 3)):
        basis = rng.normal(size=(n, rank))
        system = random_system(rng, n, 2, diffuse=basis @ basis.T)
        Y = holes(rng, rng.normal(size=(7, 2)))
        big = 1e8
        limit = given(system, Y, big)[2] + 0.5 * rank * np.log(big)
        assert kalman_log_likelihood(system, Y)[0] == pytest.approx(limit, abs=1e-3)


def test_diffuse_local_level_by_hand():
    """Without noise in what is seen: p(y) = prod N(y_t; y_{t-1}, Q), the first term dropped."""
    walk = LinearSystem([[1.0]], [[1.0]], [[2.0]], [[0.0]], diffuse=[[1.0]])
    y = np.array([3.0, 4.0, 2.0])
    true = -0.5 * (3 * np.log(2 * np.pi) + 2 * np.log(2.0) + (1 + 4) / 2.0)
    assert kalman_log_likelihood(walk, y)[0] == pytest.approx(true, rel=1e-12)


def test_sequences_are_independent_and_threads_change_nothing():
    rng = np.random.default_rng(6)
    system = random_system(rng, 3, 2)
    parts = [rng.normal(size=(t, 2)) for t in (5, 1, 40, 0, 9)]
    together = kalman_log_likelihood(system, Sequences(parts))
    alone = [kalman_log_likelihood(system, part)[0] for part in parts]
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    assert together[3] == 0.0


def test_certain_states():
    """Singular noise: what is known already says nothing, what contradicts it is impossible."""
    still = LinearSystem([[1.0]], [[1.0], [1.0]], [[0.0]], np.zeros((2, 2)), cov=[[1.0]])
    fine = kalman_log_likelihood(still, [[1.0, 1.0], [1.0, np.nan]])[0]
    assert fine == pytest.approx(-0.5 * (np.log(2 * np.pi) + 1.0))
    assert kalman_log_likelihood(still, [[1.0, 2.0]])[0] == -np.inf


def test_all_unobserved():
    rng = np.random.default_rng(7)
    system = random_system(rng, 2, 2)
    found = kalman_filter(system, np.full((3, 2), np.nan))
    assert found.log_prob[0] == 0.0
    np.testing.assert_array_equal(found.mean, found.predicted_mean)


def test_refusals():
    walk = LinearSystem([[1.0]], [[1.0]], [[1.0]], [[1.0]])
    with pytest.raises(ValueError, match="Y must be of 1 numbers per row"):
        kalman_filter(walk, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="finite, or NaN"):
        kalman_filter(walk, [np.inf])
    long = walk.with_(A=np.ones((4, 1, 1)))
    with pytest.raises(ValueError, match="A must be given for 3 rows, or once, got 'for 4'"):
        kalman_filter(long, np.zeros(3))
