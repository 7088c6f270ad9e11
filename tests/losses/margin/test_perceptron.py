"""Perceptron loss (losses.05)."""

import numpy as np
from numpy.testing import assert_allclose

from margin.losses import Perceptron
from margin.testing import LossContract


class TestPerceptronContract(LossContract):
    def make(self):
        return [Perceptron()]


class TestPerceptronContractOfSigns(LossContract):
    labels = (-1.0, 1.0)

    def make(self):
        return [Perceptron()]


def test_golden_numbers():
    """losses.05: at margins -1, 0, 0.5, 1, 2."""
    m = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert Perceptron().value(m, np.ones(5)).tolist() == [1, 0, 0, 0, 0]


def test_only_the_misclassified_count():
    """losses.05: the sum runs over the errors, each by the size of its score."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=100), rng.choice([-1.0, 1.0], size=100)
    wrong = y * z < 0
    assert_allclose(Perceptron().sweep(z, y, None)[0], np.abs(z[wrong]).sum())
    assert not Perceptron().slope(z, y)[~wrong].any()
    assert_allclose(Perceptron().slope(z, y)[wrong], -y[wrong])


def test_undecided_rows_ask_for_a_change():
    """losses.05: from z = 0 the slope leads away, or learning never starts."""
    assert Perceptron().slope(np.zeros(2), np.array([0, 1])).tolist() == [1, -1]
