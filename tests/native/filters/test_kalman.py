"""The compiled filter and smoother: sums against what is summed, threads, shapes."""

from itertools import pairwise

import numpy as np
import pytest

from margin.inference.filters._linear_system import LinearSystem
from margin.native import _native
from margin.native.filters import kalman

RNG = np.random.default_rng(0)
OFFSETS = np.array([0, 30, 30, 31, 150], dtype=np.int64)
Y = RNG.normal(size=(150, 2))
Y[70] = np.nan
A = np.array([[0.8, 0.3], [-0.3, 0.7]])
SYSTEM = LinearSystem(A, RNG.normal(size=(2, 2)), np.eye(2), 0.4 * np.eye(2), cov=np.eye(2))


def twin(Y, system):
    """Log-likelihood by the plain recursion, rows without holes or wholly unobserved."""
    x, P, total = system.mean, system.cov, 0.0
    for t, y in enumerate(Y):
        if t:
            x, P = system.A @ x + system.b, system.A @ P @ system.A.T + system.Q
        if np.isnan(y).all():
            continue
        v, S = y - system.C @ x - system.d, system.C @ P @ system.C.T + system.R
        total -= 0.5 * (v @ np.linalg.solve(S, v) + np.linalg.slogdet(2 * np.pi * S)[1])
        K = np.linalg.solve(S, system.C @ P).T
        x, P = x + K @ v, P - K @ system.C @ P
    return total


def test_filter_against_its_twin():
    found = kalman.run_filter(Y, OFFSETS, SYSTEM.arrays(), moments=False, n_threads=1)
    parts = [Y[a:b] for a, b in pairwise(OFFSETS)]
    np.testing.assert_allclose(found.log_prob, [twin(part, SYSTEM) for part in parts], rtol=1e-11)


def test_sums_are_sums():
    found = kalman.run_smoother(
        Y, OFFSETS, SYSTEM.arrays(), cov=True, cross=True, sums=True, n_threads=1
    )
    for i, (a, b) in enumerate(pairwise(OFFSETS)):
        sums = found.sums[i].reshape(4, 2, 2)
        np.testing.assert_allclose(sums[0], found.cov[a:b].sum(axis=0), rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(sums[1], found.cross[a:b].sum(axis=0), rtol=1e-11, atol=1e-13)
        if b > a:
            np.testing.assert_allclose(sums[2], found.cov[a])
            np.testing.assert_allclose(sums[3], found.cov[b - 1])


def test_the_same_bits_for_any_number_of_threads():
    usual = _native.set_least_work(0.0)
    one, two = (
        kalman.run_smoother(Y, OFFSETS, SYSTEM.arrays(), sums=True, n_threads=n) for n in (1, 3)
    )
    _native.set_least_work(usual)
    np.testing.assert_array_equal(one.sums, two.sums)
    np.testing.assert_array_equal(one.mean, two.mean)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="offsets must start at 0"):
        kalman.run_filter(Y, OFFSETS[1:], SYSTEM.arrays(), moments=False, n_threads=1)
    wrong = np.array([0, 20, 10, 150], dtype=np.int64)
    with pytest.raises(ValueError, match="offsets must not fall"):
        kalman.run_filter(Y, wrong, SYSTEM.arrays(), moments=False, n_threads=1)
    with pytest.raises(ValueError, match="shape of C"):
        kalman.run_filter(Y[:, :1].copy(), OFFSETS, SYSTEM.arrays(), moments=False, n_threads=1)
