"""The barrier against cycles, the likelihood, and what they find together."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from margin.causal.discovery.continuous._acyclic_weights import (
    acyclic_weights,
    cycles,
    misfit,
    without_cycles,
)

NONE = np.zeros((4, 4), dtype=bool)


def matrix(seed, p=4):
    W = np.random.default_rng(seed).uniform(-0.4, 0.4, (p, p))
    np.fill_diagonal(W, 0.0)
    return W


@pytest.mark.parametrize("equal", [True, False])
def test_gradients(equal):
    W, A = matrix(0), np.random.default_rng(1).normal(size=(4, 9))
    covariance = A @ A.T / 9
    for function in (lambda V: misfit(V, covariance, equal), lambda V: cycles(V, 0.1 * NONE)):
        numeric = approx_fprime(W.ravel(), lambda w, f=function: f(w.reshape(4, 4))[0], 1e-7)
        assert_allclose(function(W)[1].ravel(), numeric, atol=2e-5)


def test_cycles_are_those_of_the_graph():
    W = np.triu(matrix(2), 1)
    assert cycles(5 * W, 0.0 * NONE)[0] == pytest.approx(0, abs=1e-12)
    W[3, 0] = 0.5
    assert cycles(W, 0.0 * NONE)[0] > 1e-6
    # the sum over closed walks, by the series of the logarithm
    B, power, total = W * W, np.eye(4), 0.0
    for k in range(1, 60):
        power = power @ B
        total += np.trace(power) / k
    assert cycles(W, 0.0 * NONE)[0] == pytest.approx(total)
    assert cycles(np.array([[0, 1.0], [1.0, 0]]), np.zeros((2, 2)))[0] == np.inf
    back = np.array([[0, 0.0], [1, 0]])
    assert cycles(np.array([[0, 0.5], [0, 0]]), 0.25 * back)[0] > 0.05


def test_misfit_is_the_likelihood_of_the_implied_covariance():
    W, n = np.triu(matrix(3), 1), 50
    X = np.random.default_rng(4).normal(size=(n, 4))
    S = X.T @ X / n
    rest = np.eye(4) - W
    D = np.diag(np.diag(rest.T @ S @ rest))
    implied = np.linalg.inv(rest).T @ D @ np.linalg.inv(rest)
    whole = 0.5 * (np.linalg.slogdet(implied)[1] + np.trace(np.linalg.solve(implied, S)))
    assert misfit(W, S, equal=False)[0] == pytest.approx(whole - 2.0)


def test_population_of_equal_noise_is_recovered():
    """From the covariance itself; the sorted columns and free noises know it too."""
    B = np.array([[0, 1.0, 0, -0.8], [0, 0, 0.9, 0], [0, 0, 0, 0.7], [0, 0, 0, 0]])
    inverse = np.linalg.inv(np.eye(4) - B)
    mixed = [2, 0, 3, 1]
    covariance = (inverse.T @ inverse)[np.ix_(mixed, mixed)]
    free = ~np.eye(4, dtype=bool)
    told = {"kept": NONE, "equal": True, "max_iter": 8, "tol": 1e-7}
    found = acyclic_weights(covariance, free, 0.0 * NONE, **told)
    assert found.certificate.value <= 1e-7
    assert_allclose(found.x, B[np.ix_(mixed, mixed)], atol=5e-3)
    # a strong price leaves nothing, and a pair that is not free stays empty
    assert_allclose(acyclic_weights(covariance, free, NONE + 50.0, **told).x, 0)
    free[1, 3] = False
    assert acyclic_weights(covariance, free, 0.0 * NONE, **told).x[1, 3] == 0


def test_what_must_be_breaks_cycles():
    strength = np.array([[0, 3.0, 0], [0, 0, 2.0], [1.0, 0, 0]])
    none = np.zeros((3, 3), dtype=bool)
    arcs, order = without_cycles(strength, none, 0.1)
    assert (np.argwhere(arcs).tolist(), order) == ([[0, 1], [1, 2]], (0, 1, 2))
    kept = none.copy()
    kept[2, 0] = True
    arcs, order = without_cycles(strength, kept, 0.1)
    assert (np.argwhere(arcs).tolist(), order) == ([[0, 1], [2, 0]], (2, 0, 1))
    assert not without_cycles(strength, none, 4.0)[0].any()
