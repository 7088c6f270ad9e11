"""General quadratic penalty (penalties.05)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.penalties import L2, Quadratic
from margin.testing import PenaltyContract

RNG = np.random.default_rng(0)
ROOT = RNG.normal(size=(6, 6))
SINGULAR = RNG.normal(size=(6, 2))


class TestQuadraticContract(PenaltyContract):
    shapes = ((6,), (6, 3))

    def make(self):
        return [
            Quadratic(ROOT @ ROOT.T),
            Quadratic(SINGULAR @ SINGULAR.T, 0.3),
            Quadratic(np.zeros((6, 6))),
            Quadratic(np.eye(6), 0.0),
        ]


def test_identity_is_the_ridge_penalty():
    """penalties.05: every method agrees with L2 for the identity."""
    one, two = Quadratic(np.eye(4), 0.7), L2(0.7)
    w, v = RNG.normal(size=(2, 4, 2))
    assert_allclose(one.value(w), two.value(w))
    assert_allclose(one.gradient(w), two.gradient(w))
    assert_allclose(one.curvature(w), two.curvature(w))
    assert_allclose(one.hessian_product(w, v), two.hessian_product(w, v))
    assert_allclose(one.prox(w, 0.4), two.prox(w, 0.4))


def test_prox_solves_the_linear_system():
    """penalties.05: (I + step alpha Omega) u = w, for vectors and columns."""
    omega = ROOT @ ROOT.T
    for w in (RNG.normal(size=6), RNG.normal(size=(6, 3))):
        wanted = np.linalg.solve(np.eye(6) + 0.3 * 2.0 * omega, w)
        assert_allclose(Quadratic(omega, 2.0).prox(w, 0.3), wanted, atol=1e-12)


def test_null_space_costs_nothing():
    """penalties.05: differences of neighbours leave constants free, and no value is negative."""
    D = np.diff(np.eye(5), axis=0)
    smooth = Quadratic(D.T @ D, 10.0)
    assert_allclose(smooth.value(np.full(5, 3.0)), 0.0, atol=1e-12)
    assert_allclose(smooth.value(np.arange(5.0)), 0.5 * 10 * 4)
    assert smooth.value(np.full(5, 1 / 3)) >= 0


@pytest.mark.parametrize(
    ("omega", "need"),
    [
        (np.ones((2, 3)), "a square matrix"),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "symmetric"),
        (np.diag([1.0, -1.0]), "positive semi-definite, got 'an eigenvalue of -1'"),
        (np.array([[np.nan]]), "a square matrix of finite"),
    ],
)
def test_bad_matrices_are_refused(omega, need):
    with pytest.raises(ValueError, match=f"Quadratic: omega must be {need}"):
        Quadratic(omega)


def test_keeps_a_copy_that_nobody_can_change():
    omega = np.eye(2)
    penalty = Quadratic(omega)
    omega[0, 0] = 100.0
    assert penalty.value(np.array([1.0, 0.0])) == 0.5
    with pytest.raises(ValueError, match="read-only"):
        penalty.omega[0, 0] = 1.0
    assert Quadratic(np.eye(2)) != Quadratic(2 * np.eye(2))
