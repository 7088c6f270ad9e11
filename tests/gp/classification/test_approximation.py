"""The choice of the approximation, and class probabilities from latent functions (gp.13)."""

import numpy as np
import pytest
from scipy.special import ndtr

from margin.gp.classification._approximation import Approximation

MEAN, VAR = np.array([-1.0, 0.3, 2.0]), np.array([0.5, 2.0, 1.0])


@pytest.mark.parametrize(
    ("way", "classes", "label"),
    [
        (("logistic", "laplace", "auto"), 2, "laplace"),
        (("logistic", "laplace", "auto"), 3, "laplace, softmax"),
        (("logistic", "laplace", "softmax"), 3, "laplace, softmax"),
        (("logistic", "laplace", "one_vs_rest"), 3, "laplace, one against the rest"),
        (("probit", "laplace", "auto"), 3, "laplace, one against the rest"),
        (("logistic", "ep", "auto"), 2, "ep"),
        (("probit", "ep", "auto"), 4, "ep, one against the rest"),
    ],
)
def test_choice(way, classes, label):
    assert Approximation(*way).solver(classes).label == label


def test_two_classes():
    prob = Approximation("probit", "laplace", "auto").probabilities(MEAN, VAR)
    np.testing.assert_allclose(prob[:, 1], ndtr(MEAN / np.sqrt(1 + VAR)))
    np.testing.assert_allclose(prob.sum(axis=1), 1.0)


def test_independent_functions_share_what_their_averages_claim():
    means, variances = np.stack([MEAN, -MEAN, 0 * MEAN], axis=1), np.stack([VAR] * 3, axis=1)
    prob = Approximation("probit", "ep", "auto").probabilities(means, variances)
    each = ndtr(means / np.sqrt(1 + variances))
    np.testing.assert_allclose(prob, each / each.sum(axis=1, keepdims=True))


def test_certain_functions_of_the_softmax():
    means = np.stack([MEAN, -MEAN, 0 * MEAN], axis=1)
    prob = Approximation("logistic", "laplace", "auto").probabilities(means, np.zeros((3, 3, 3)))
    wanted = np.exp(means) / np.exp(means).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(prob, wanted, rtol=1e-4)
