"""Gamma deviance (losses.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import mean_gamma_deviance

from margin.losses import Gamma


def test_is_half_the_deviance_of_scikit_learn():
    """losses.14: amounts with a logarithmic link."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.gamma(2.0, size=50)
    assert_allclose(2 * Gamma().value(z, y).mean(), mean_gamma_deviance(y, np.exp(z)))


def test_slope_and_curvature_are_derivatives():
    rng = np.random.default_rng(1)
    z, y, step = rng.normal(size=50), rng.gamma(2.0, size=50), 1e-5
    loss = Gamma()
    assert_allclose(
        loss.slope(z, y),
        (loss.value(z + step, y) - loss.value(z - step, y)) / (2 * step),
        atol=1e-7,
    )
    assert_allclose(
        loss.curvature(z, y),
        (loss.slope(z + step, y) - loss.slope(z - step, y)) / (2 * step),
        atol=1e-7,
    )


def test_no_digit_is_lost_near_the_minimum():
    y, s = np.array([1000.0]), 1e-7
    assert_allclose(Gamma().value(np.log(y) + s, y), s**2 / 2, rtol=1e-5)


def test_best_constant_is_the_logarithm_of_the_mean():
    y = np.array([0.5, 1.0, 5.0])
    assert abs(Gamma().sweep(np.full(3, np.log(y.mean())), y, None)[1].sum()) < 1e-14


def test_amounts_are_positive():
    with pytest.raises(ValueError, match=r"Gamma: y must be above 0 everywhere, got 0.0"):
        Gamma().targets([1.0, 0.0])
