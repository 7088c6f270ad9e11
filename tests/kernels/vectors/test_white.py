"""White noise."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process import kernels as peer

from margin.kernels import RBF, White
from margin.testing import KernelContract


class TestWhite(KernelContract):
    stationary = True

    def make(self):
        return [White(), White(0.3)]

    def test_symmetric(self):
        """K(X) is the noise, K(X, X) that of other observations at the same points: zero."""
        X = self.draw(np.random.default_rng(0), 4)
        assert_array_equal(White(0.3)(X), 0.3 * np.eye(4))
        assert_array_equal(White(0.3)(X, X), np.zeros((4, 4)))


def test_agrees_with_scikit_learn():
    X = np.random.default_rng(1).normal(size=(6, 2))
    ours, theirs = RBF(1.2) + White(0.3), peer.RBF(1.2) + peer.WhiteKernel(0.3)
    assert_allclose(ours(X), theirs(X), rtol=1e-14)
    assert_allclose(ours(X, X), theirs(X, X), rtol=1e-14)
    assert_allclose(ours.diag(X), theirs.diag(X))


def test_compares_anything():
    assert_array_equal(White(2.0)(["a", "a"]), 2.0 * np.eye(2))
