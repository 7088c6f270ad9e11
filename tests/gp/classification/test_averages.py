"""Averages of the softmax (gp.13)."""

import numpy as np
import pytest
from scipy.special import softmax

from margin.gp.classification._averages import average_softmax, normal_points
from margin.inference import LogisticLikelihood

RNG = np.random.default_rng(0)
ROOT = RNG.normal(size=(5, 3, 3))
COV = ROOT @ ROOT.transpose(0, 2, 1)
MEAN = RNG.normal(size=(5, 3))


def test_points_are_standard_normal():
    points = normal_points(3)
    np.testing.assert_allclose(points.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cov(points.T), np.eye(3), atol=0.02)


def test_against_monte_carlo():
    found = average_softmax(MEAN, COV)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    for i in range(5):
        draws = RNG.multivariate_normal(MEAN[i], COV[i], size=200_000)
        np.testing.assert_allclose(found[i], softmax(draws, axis=1).mean(axis=0), atol=5e-3)


def test_two_classes_are_the_logistic_average():
    found = average_softmax(MEAN[:, :2], COV[:, :2, :2])
    var = COV[:, 0, 0] + COV[:, 1, 1] - 2 * COV[:, 0, 1]
    wanted = LogisticLikelihood().average(MEAN[:, 0] - MEAN[:, 1], var)
    np.testing.assert_allclose(found[:, 0], wanted, atol=2e-3)


def test_names_of_classes_and_other_rows_do_not_matter():
    order = [2, 0, 1]
    swapped = average_softmax(MEAN[:, order], COV[:, order][:, :, order])
    np.testing.assert_allclose(swapped, average_softmax(MEAN, COV)[:, order], rtol=1e-9)
    np.testing.assert_array_equal(
        average_softmax(MEAN[1:2], COV[1:2])[0], average_softmax(MEAN, COV)[1]
    )


def test_certainty_is_kept():
    found = average_softmax(np.array([[50.0, 0.0, 0.0]]), np.zeros((1, 3, 3)))
    assert found[0, 0] == pytest.approx(1.0)
