"""Penalty, goal and targets of least squares by columns."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.optim.columns._dense_squares import DenseSquares
from margin.optim.columns._squares import Goal, Shrinkage, Squares
from margin.penalties import ElasticNet


@pytest.mark.parametrize("positive", [False, True])
def test_violation_is_the_distance_from_the_subdifferential(positive):
    """penalties.03: the least of all subgradients, found on a grid of them."""
    rng = np.random.default_rng(0)
    w, slope = np.where(rng.random(30) < 0.5, 0.0, rng.random(30)), rng.normal(size=30)
    w = w if positive else w * rng.choice([-1, 1], 30)
    penalty = Shrinkage(0.4, 0.3, positive)
    grid = np.linspace(-1, 1, 4001)
    for j in range(30):
        signs = grid if w[j] == 0 else np.sign(w[j : j + 1])
        sums = slope[j] + 0.3 * w[j] + 0.4 * signs
        # With w >= 0 a coefficient at zero may also be pushed down: any smaller sum is allowed.
        least = max(-sums.max(), 0.0) if positive and w[j] == 0 else np.abs(sums).min()
        assert abs(penalty.violation(w, slope)[j] - least) < 1e-3


def test_value_is_that_of_the_elastic_net():
    """penalties.03: the same number as the public penalty."""
    w = np.random.default_rng(0).normal(size=9)
    assert_allclose(Shrinkage(0.6, 1.4).value(w), ElasticNet(2.0, 0.3).value(w), rtol=1e-14)


def test_pull_has_a_direction_only_for_positive_coefficients():
    c = np.array([-2.0, 1.0])
    assert_array_equal(Shrinkage(1.0).pull(c), [2.0, 1.0])
    assert_array_equal(Shrinkage(1.0, positive=True).pull(c), c)


def test_goals_scale():
    assert Goal(gap=2.0).times(0.5) == Goal(1.0, -0.5)


def test_targets_are_weighted_and_centred_exactly():
    """A constant target leaves exactly nothing; weights enter as roots."""
    X, weight = np.random.default_rng(0).normal(size=(5, 2)), np.array([1.0, 0.0, 2.0, 3.0, 0.1])
    flat = DenseSquares(X, np.full(5, 0.1), weight, intercept=True)
    assert flat.energy == 0.0
    assert flat.y_mean == 0.1
    y = np.arange(5.0)
    bare = DenseSquares(X, y, weight, intercept=False)
    assert_allclose(bare.target, np.sqrt(weight) * y)
    assert bare.intercept_at(np.ones(2)) == 0.0
    with pytest.raises(TypeError, match="abstract"):
        Squares(X, y, None, intercept=True, n_threads=1)
