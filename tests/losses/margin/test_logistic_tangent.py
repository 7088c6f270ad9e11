"""Tangent lower bound of the logistic loss (losses.09)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Logistic, logistic_tangent, touching_slope

T = np.linspace(-20, 20, 161)


def test_never_above_the_loss():
    """losses.09: for every slope in [0, 1] and every margin."""
    loss = Logistic().value(T, np.ones_like(T))
    bound = logistic_tangent(T[:, None], np.linspace(0, 1, 101))
    assert (bound <= loss[:, None] + 1e-13).all()


def test_touches_at_the_sigmoid_of_the_negative_margin():
    """losses.09: equality at a = sigma(-t), and nowhere else on a grid of slopes."""
    loss = Logistic().value(T, np.ones_like(T))
    assert_allclose(logistic_tangent(T, touching_slope(T)), loss, atol=1e-13)
    grid = np.linspace(0, 1, 10001)
    best = grid[np.argmax(logistic_tangent(T[:, None], grid), axis=1)]
    assert_allclose(best, touching_slope(T), atol=1e-4)


def test_minus_the_slope_is_the_slope_of_the_loss():
    """losses.09: the touching line is the tangent."""
    assert_allclose(Logistic().slope(T, np.ones_like(T)), -touching_slope(T), atol=1e-15)


@pytest.mark.parametrize("a", [-0.1, 1.1, np.nan])
def test_slopes_outside_are_refused(a):
    with pytest.raises(ValueError, match="logistic_tangent: a must be between 0 and 1"):
        logistic_tangent(0.0, a)
