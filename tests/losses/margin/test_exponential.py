"""Exponential loss (losses.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize_scalar

from margin.losses import Exponential
from margin.testing import LossContract


class TestExponentialContract(LossContract):
    extreme = 300.0

    def make(self):
        return [Exponential(), Exponential(0.3), Exponential(2.0)]


def test_golden_numbers():
    """losses.10: e^-1 for a right decision of score one, e for a wrong one."""
    found = Exponential().value(np.array([1.0, -1.0]), np.ones(2))
    assert_allclose(found, [0.36787944, 2.71828183], atol=5e-9)
    assert_allclose(Exponential(2.0).value(np.array([1.0]), np.ones(1)), np.exp(-2))


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_best_constant_is_a_share_of_the_log_odds(beta):
    """losses.10: log(p / (1 - p)) / (2 beta), found by a search."""
    p = 0.8

    def risk(z):
        value = Exponential(beta).value(np.array([z, z]), np.array([1, 0]))
        return p * value[0] + (1 - p) * value[1]

    best = minimize_scalar(risk, bracket=(-1, 1)).x
    assert_allclose(best, np.log(p / (1 - p)) / (2 * beta), atol=1e-6)


@pytest.mark.parametrize("beta", [0, -1.0, np.nan, "1"])
def test_bad_scale_is_refused(beta):
    with pytest.raises(ValueError, match="Exponential: beta must be a number above 0"):
        Exponential(beta)
