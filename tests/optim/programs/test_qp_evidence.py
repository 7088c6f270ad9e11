"""How good a point of a quadratic program is (optim.19, optim.20)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.optim import QuadraticProgram
from margin.optim.programs._interior_point import PrimalDual
from margin.optim.programs._qp_evidence import evidence

# min x^2 / 2 subject to x >= 1: p* = d* = 1/2 with price 1.
PROGRAM = QuadraticProgram(np.eye(1), np.zeros(1), lower=1.0)


def at(x, price):
    return evidence(PROGRAM, PrimalDual(np.array([x]), np.zeros(0), np.array([price]), np.zeros(1)))


def test_at_the_optimum_everything_vanishes():
    found = at(1.0, 1.0)
    assert found.primal == found.dual == 0.5
    assert found.worst == 0.0


def test_every_kind_of_error_shows():
    """optim.20: the gap, the constraint, the gradient of the Lagrangian and the sign."""
    assert_allclose(at(0.0, 0.0).infeasibility, 1.0)
    assert_allclose(at(1.0, 0.5).stationarity, 0.5)
    assert_allclose(at(2.0, 2.0).gap, 2.0 / 2.0)
    assert at(-1.0, -1.0).stationarity >= 1.0


def test_stationary_points_give_lower_bounds():
    """optim.20: weak duality: with x = price the dual is price - price^2 / 2 <= 1/2."""
    for price in np.linspace(0, 3, 31):
        found = at(price, price)
        assert found.stationarity == 0
        assert_allclose(found.dual, price - price**2 / 2)
        assert found.dual <= 0.5 + 1e-15
