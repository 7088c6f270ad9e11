"""Quantile (pinball) loss (losses.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import mean_pinball_loss

from margin.losses import Absolute, Quantile
from margin.testing import LossContract


class TestQuantileContract(LossContract):
    def make(self):
        return [Quantile(), Quantile(0.1), Quantile(0.9)]


def test_against_scikit_learn():
    """losses.14: the mean is scikit-learn's pinball loss."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=50), rng.normal(size=50)
    for q in (0.2, 0.5, 0.8):
        assert_allclose(Quantile(q).value(z, y).mean(), mean_pinball_loss(y, z, alpha=q))
    assert_allclose(Quantile(0.5).value(z, y), 0.5 * Absolute().value(z, y))


@pytest.mark.parametrize("q", [0.1, 0.5, 0.75])
def test_best_constant_is_the_quantile(q):
    """losses.14: on a fine grid nothing beats the order statistic."""
    y = np.arange(1.0, 12.0)
    grid = np.linspace(0, 12, 12001)
    total = [Quantile(q).sweep(np.full(11, c), y, None)[0] for c in grid]
    assert_allclose(grid[np.argmin(total)], np.quantile(y, q, method="inverted_cdf"), atol=1e-9)


@pytest.mark.parametrize("q", [0.0, 1.0, 1.5, None])
def test_bad_level_is_refused(q):
    with pytest.raises(ValueError, match="Quantile: q must be a number"):
        Quantile(q)
