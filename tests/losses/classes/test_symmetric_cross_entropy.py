"""Symmetric multi-class cross-entropy (losses.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import Softmax, SymmetricCrossEntropy
from margin.testing import LossContract

loss = SymmetricCrossEntropy()


class TestContractOfTwoClasses(LossContract):
    n_classes = 2

    def make(self):
        return [loss]


class TestContractOfThreeClasses(LossContract):
    def make(self):
        return [loss]


class TestContractOfFiveClasses(LossContract):
    n_classes = 5

    def make(self):
        return [loss]


def plain(z, y):
    """The definition, one row at a time."""
    found = []
    for scores, c in zip(z, y, strict=True):
        p = np.exp(scores) / np.exp(scores).sum()
        found.append(sum(-np.log(p[k]) if k == c else -np.log(1 - p[k]) for k in range(len(p))))
    return np.array(found)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_against_the_definition(n_classes):
    """losses.13: the sum of C binary cross-entropies."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(scale=2, size=(40, n_classes)), rng.integers(n_classes, size=40)
    assert_allclose(loss.value(z, y), plain(z, y), rtol=1e-12)


def test_two_classes_give_exactly_twice_the_ordinary_one():
    """losses.13: value and slope."""
    rng = np.random.default_rng(0)
    z, y = rng.normal(scale=3, size=(40, 2)), rng.integers(2, size=40)
    assert_allclose(loss.value(z, y), 2 * Softmax().value(z, y), rtol=1e-12)
    assert_allclose(loss.slope(z, y), 2 * Softmax().slope(z, y), atol=1e-14)


@pytest.mark.parametrize("scale", [1.0, 30.0, 1e4])
def test_output_deltas_sum_to_zero(scale):
    """losses.13: a shift of all scores changes nothing."""
    rng = np.random.default_rng(1)
    z, y = rng.normal(scale=scale, size=(50, 4)), rng.integers(4, size=50)
    assert_allclose(loss.slope(z, y).sum(axis=1), 0, atol=1e-12)
    assert_allclose(loss.value(z + 7.0, y), loss.value(z, y), rtol=1e-9)


def test_slope_is_the_jacobian_times_the_output_delta():
    """losses.13: delta_k = -1/p_c or 1/(1 - p_k), through J = diag(p) - p p^T."""
    rng = np.random.default_rng(2)
    z, y = rng.normal(size=(20, 4)), rng.integers(4, size=20)
    for scores, c, found in zip(z, y, loss.slope(z, y), strict=True):
        p = np.exp(scores) / np.exp(scores).sum()
        delta = np.where(np.arange(4) == c, -1 / p, 1 / (1 - p))
        assert_allclose(found, (np.diag(p) - np.outer(p, p)) @ delta, atol=1e-13)


def test_is_not_convex_for_three_classes():
    """losses.13: a chord below the curve exists, so the flag is right."""
    rng = np.random.default_rng(3)
    z, w = rng.normal(scale=4, size=(2, 20000, 3))
    y = rng.integers(3, size=20000)
    middle = loss.value(0.5 * (z + w), y)
    assert (middle > 0.5 * (loss.value(z, y) + loss.value(w, y)) + 1e-3).any()
    assert not SymmetricCrossEntropy.convex
