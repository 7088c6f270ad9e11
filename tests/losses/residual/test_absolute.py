"""Absolute loss (losses.14)."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import laplace

from margin.losses import Absolute
from margin.testing import LossContract


class TestAbsoluteContract(LossContract):
    def make(self):
        return [Absolute()]


def test_best_constant_is_the_median():
    """losses.14: on a fine grid nothing beats the median, and one outlier changes nothing."""
    y = np.array([1.0, 2.0, 4.0, 8.0, 9.0])
    grid = np.linspace(0, 20, 20001)
    for last in (9.0, 1e6):
        y[-1] = last
        total = np.abs(grid[:, None] - y).sum(axis=1)
        mine = [Absolute().sweep(np.full(5, c), y, None)[0] for c in grid[::100]]
        assert_allclose(mine, total[::100])
        assert grid[np.argmin(total)] == 4.0


def test_is_the_negative_laplace_log_likelihood():
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=20), rng.normal(size=20)
    assert_allclose(Absolute().value(z, y) + np.log(2), -laplace.logpdf(y, loc=z))
