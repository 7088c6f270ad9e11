"""Modified Huber loss."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from margin.losses import ModifiedHuber, SquaredHinge
from margin.testing import LossContract


class TestModifiedHuberContract(LossContract):
    def make(self):
        return [ModifiedHuber()]


def test_golden_numbers():
    m = np.array([-3.0, -1.0, 0.0, 0.5, 1.0, 2.0])
    assert ModifiedHuber().value(m, np.ones(6)).tolist() == [12, 4, 1, 0.25, 0, 0]
    assert ModifiedHuber().slope(m, np.ones(6)).tolist() == [-4, -4, -2, -1, 0, 0]


def test_is_the_squared_hinge_where_the_margin_is_above_minus_one():
    z, y = np.linspace(-1, 3, 30), np.ones(30)
    assert_allclose(ModifiedHuber().value(z, y), SquaredHinge().value(z, y))
    assert_allclose(ModifiedHuber().value(-z, 0 * y), SquaredHinge().value(z, y))


def test_the_best_score_tells_the_probability():
    """The score that costs least for a share p of positive labels is 2 p - 1."""
    loss, one, zero = ModifiedHuber(), np.ones(1), np.zeros(1)
    for p in (0.0, 0.2, 0.5, 0.9, 1.0):
        cost = minimize_scalar(
            lambda z, p=p: float(
                p * loss.value(np.array([z]), one)[0]
                + (1 - p) * loss.value(np.array([z]), zero)[0]
                + 1e-9 * z**2
            ),
            bounds=(-3, 3),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert abs(cost.x - (2 * p - 1)) < 1e-3
