"""Logistic loss, binary cross-entropy (losses.08)."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Logistic, Softmax
from margin.testing import LossContract


class TestLogisticContract(LossContract):
    def make(self):
        return [Logistic()]


class TestLogisticContractOfSoftLabels(LossContract):
    labels = (0.25, 0.9)

    def make(self):
        return [Logistic()]


def test_golden_numbers():
    """losses.08: ln 2 at zero, where the slope is half and the curvature a quarter."""
    zero = np.zeros(2)
    y = np.array([0.0, 1.0])
    assert_allclose(Logistic().value(zero, y), 0.6931471805599453, rtol=1e-15)
    assert_allclose(Logistic().slope(zero, y), [0.5, -0.5])
    assert_allclose(Logistic().curvature(zero, y), 0.25)


@pytest.mark.parametrize("z", [-800, -40, -3, -1, 0, 0.001, 2, 37, 800])
def test_is_log_one_plus_exp_of_the_negative_margin(z):
    """losses.08: for labels t = 2y - 1 in {-1, +1}, against 400 decimal digits."""
    for t, y in ((-1, 0.0), (1, 1.0)):
        found = Logistic().value(np.array([float(z)]), np.array([y]))[0]
        with localcontext() as context:
            context.prec = 400  # enough to see e^-800 beside one
            exact = (1 + (-t * Decimal(z)).exp()).ln()
            error = abs(Decimal(float(found)) - exact)
        assert error <= Decimal("1e-15") * exact + Decimal("1e-300")


def test_targets_between_mix_the_two_labels():
    """losses.08: cross-entropy is linear in the target."""
    z = np.linspace(-30, 30, 61)
    at = [Logistic().value(z, np.full(61, y)) for y in (0.0, 1.0, 0.3)]
    assert_allclose(at[2], 0.7 * at[0] + 0.3 * at[1], rtol=1e-14)


def test_is_the_two_class_softmax():
    """losses.08, losses.12: one score against zero is a softmax of two scores."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(scale=5, size=50), rng.integers(2, size=50)
    two = np.column_stack([np.zeros(50), z])
    assert_allclose(Logistic().value(z, y.astype(float)), Softmax().value(two, y), rtol=1e-12)
    assert_allclose(Logistic().slope(z, y.astype(float)), Softmax().slope(two, y)[:, 1], atol=1e-15)


def test_minimiser_over_a_constant_is_the_log_odds():
    """losses.08: the best constant score is log p / (1 - p), where the slopes cancel."""
    y = np.array([1.0, 1.0, 1.0, 0.0])
    total, slope, _ = Logistic().sweep(np.full(4, np.log(3.0)), y, None)
    assert abs(slope.sum()) < 1e-15
    for shift in (-0.01, 0.01):
        assert Logistic().sweep(np.full(4, np.log(3.0) + shift), y, None)[0] > total
