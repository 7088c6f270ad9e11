"""Draws of states and parameters against their exact laws."""

import numpy as np
import pytest

from margin.inference import kalman_smoother
from margin.sequence.state_space._expectation import SequenceData
from margin.sequence.state_space._parameters import SystemParameters
from margin.sequence.state_space._system_draws import SystemPosterior, moved

AT = SystemParameters(
    A=np.array([[0.8, 0.3], [-0.2, 0.6]]), B=np.zeros((2, 0)), b=np.array([0.5, 0.0]),
    C=np.array([[1.0, 0.4]]), D=np.zeros((1, 0)), d=np.array([1.0]), Q=np.diag([0.5, 0.3]),
    R=np.array([[0.4]]), mean=np.zeros(2), cov=np.eye(2),
)  # fmt: skip


def posterior(Y, offsets, n=2):
    Y = np.asarray(Y, dtype=float)
    data = SequenceData.of(Y, np.zeros((len(Y), 0)), np.array(offsets), 1)
    return SystemPosterior(data, n, 1.0)


def test_states_have_the_moments_of_the_smoother():
    """sequence.38: the simulation smoother draws from the posterior of the states."""
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(6, 1)) + 1.0
    Y[2] = np.nan
    source = posterior(Y, [0, 6])
    draws = np.array([source.states(AT, rng).ravel() for _ in range(4000)])
    true = kalman_smoother(AT.system(), Y)
    np.testing.assert_allclose(draws.mean(axis=0), true.mean.ravel(), atol=0.06)
    spread = np.einsum("tii->ti", true.cov).ravel()
    np.testing.assert_allclose(draws.var(axis=0), spread, rtol=0.12)


def test_parameters_given_many_states_are_near_the_truth():
    rng = np.random.default_rng(1)
    X, Y = np.zeros((6000, 2)), np.zeros((6000, 1))
    for t in range(1, 6000):
        X[t] = AT.A @ X[t - 1] + AT.b + np.sqrt([0.5, 0.3]) * rng.normal(size=2)
    Y[:] = X @ AT.C.T + AT.d + np.sqrt(0.4) * rng.normal(size=(6000, 1))
    source = posterior(Y, [0, 3000, 6000])
    drawn = source.parameters(X, rng)
    np.testing.assert_allclose(drawn.A, AT.A, atol=0.06)
    np.testing.assert_allclose(drawn.Q, AT.Q, atol=0.06)
    np.testing.assert_allclose(drawn.C, AT.C, atol=0.06)
    assert abs(drawn.R[0, 0] - 0.4) < 0.05


def test_vectors_of_parameters_come_back():
    source = posterior(np.zeros((3, 1)), [0, 3])
    again = source.unpack(source.pack(AT))
    for name in ("A", "b", "Q", "C", "d", "R"):
        np.testing.assert_array_equal(getattr(again, name), getattr(AT, name))


@pytest.mark.parametrize("radius", [0.0, 0.9, 1.0, 1.2])
def test_paths_move_step_by_step(radius):
    rng = np.random.default_rng(2)
    A = radius * np.linalg.qr(rng.normal(size=(3, 3)))[0]
    offsets, noise = np.array([0, 1, 14, 14, 40]), rng.normal(size=(40, 3))
    want = noise.copy()
    for t in range(1, 40):
        if t not in offsets:
            want[t] += A @ want[t - 1]
    np.testing.assert_allclose(moved(A, noise, offsets), want, rtol=1e-9, atol=1e-12)
    assert moved(A, noise[:0], np.array([0])).shape == (0, 3)
