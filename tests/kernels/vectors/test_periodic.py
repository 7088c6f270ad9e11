"""The periodic kernel."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import kernels as peer

from margin.kernels import RBF, Periodic, compose
from margin.testing import KernelContract


class TestPeriodic(KernelContract):
    stationary = True

    def make(self):
        return [
            Periodic(1.0, 2.0),
            Periodic((0.5, 1.0, 2.0), 1.7),
            Periodic(1.2, (1.0, 3.0, 2.0)),
            Periodic((0.5, 1.0, 2.0), (1.0, 3.0, 2.0)),
        ]


def test_agrees_with_scikit_learn_for_one_column():
    X = np.random.default_rng(0).normal(size=(20, 1)) * 3
    ours, theirs = Periodic(0.8, 1.7), peer.ExpSineSquared(0.8, 1.7)
    K, gradient = theirs(X, eval_gradient=True)
    assert_allclose(ours(X), K, rtol=1e-12)
    assert_allclose(ours.gradient(X), np.moveaxis(gradient, 2, 0), atol=1e-11)


def test_it_repeats_and_is_a_gaussian_on_the_circle():
    X = np.random.default_rng(1).normal(size=(9, 2))
    kernel = Periodic(0.8, 1.7)
    assert_allclose(kernel(X + np.array([1.7, -3.4]), X), kernel(X, X), rtol=1e-10)

    def circle(table):
        angle = 2 * np.pi * table / 1.7
        return np.hstack([np.cos(angle), np.sin(angle)])

    assert_allclose(kernel(X), compose(RBF(0.8), circle)(X), rtol=1e-10)


def test_values_by_brute_force_far_from_the_origin():
    X = np.random.default_rng(2).normal(size=(7, 2)) + 4096.0
    waves = np.sin(np.pi * (X[:, None] - X) / np.array([1.5, 0.75])) / np.array([0.8, 1.3])
    wanted = np.exp(-2.0 * (waves**2).sum(axis=2))
    assert_allclose(Periodic((0.8, 1.3), (1.5, 0.75))(X), wanted, rtol=1e-9)


def test_columns_are_counted():
    with pytest.raises(ValueError, match="Periodic: period must be one number or one per column"):
        Periodic(1.0, (1.0, 2.0))(np.zeros((2, 3)))
