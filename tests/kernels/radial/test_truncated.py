"""Truncated kernels (kernels.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, Matern, Truncated, check_psd
from margin.testing import KernelContract


class TestTruncated(KernelContract):
    stationary = True
    definite = False

    def make(self):
        return [Truncated(RBF(0.8), 2.0), Truncated(Matern((1.0, 0.5, 2.0)), 1.5)]


def test_zero_beyond_the_radius_and_unchanged_within():
    X = np.linspace(0.0, 10.0, 41)[:, None]
    cut, whole = Truncated(RBF(2.0), 1.5)(X), RBF(2.0)(X)
    far = np.abs(np.subtract.outer(X[:, 0], X[:, 0])) > 3.0
    assert (cut[far] == 0.0).all()
    assert (cut[~far] == whole[~far]).all()


def test_it_may_lose_positive_definiteness():
    """kernels.14: the whole kernel is definite, the truncated one is not."""
    X = np.linspace(0.0, 6.0, 40)[:, None]
    assert check_psd(RBF(1.0), X)
    assert not check_psd(Truncated(RBF(1.0), 1.0), X)
    assert_allclose(Truncated(RBF(1.0), 1e3)(X), RBF(1.0)(X))


def test_refusals():
    with pytest.raises(ValueError, match="Truncated: kernel must be a radial kernel"):
        Truncated(Linear())
    with pytest.raises(ValueError, match="Truncated: radius must be a number above 0"):
        Truncated(RBF(), 0.0)
