"""Sequences of penalty strengths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import ElasticNetCV, LassoCV
from margin.linear.sparse._strengths import alpha_grid, counted_strengths


def test_automatic_strengths_fall_evenly_in_their_logarithm():
    grid = alpha_grid("LassoCV", 5, 3.0, 0.5, 1e-2)
    assert_allclose(grid[[0, -1]], [6.0, 0.06])
    assert_allclose(grid[1:] / grid[:-1], 0.01**0.25)


def test_a_constant_target_has_one_strength():
    assert_array_equal(alpha_grid("LassoCV", 3, 0.0, 1.0, 1e-3), [1e-15] * 3)


def test_given_strengths_are_sorted():
    assert_array_equal(alpha_grid("LassoCV", (1, 3.0, 2), 9.0, 0.0, 1e-3), [3.0, 2.0, 1.0])


@pytest.mark.parametrize(
    ("alphas", "error", "words"),
    [
        (0, ValueError, "alphas must be a count of at least 1 or an array, got 0"),
        (True, ValueError, "a count of at least 1"),
        ([1.0, -1.0], ValueError, r"alphas\[1\] == -1.0, must be >= 0.0"),
        ([], ValueError, "a list of numbers"),
        ([np.inf], ValueError, "a list of numbers"),
        ([1.0, "a"], TypeError, r"alphas\[1\] must be an instance of float, not str"),
    ],
)
def test_wrong_strengths_are_refused(alphas, error, words):
    with pytest.raises(error, match=words):
        alpha_grid("LassoCV", alphas, 1.0, 1.0, 1e-3)


def test_no_automatic_strengths_without_absolute_values():
    with pytest.raises(ValueError, match="not supported for l1_ratio=0"):
        alpha_grid("ElasticNetCV", 5, 1.0, 0.0, 1e-3)


def test_deprecated_ways_warn():
    assert counted_strengths("enet_path", [1.0], "deprecated") == [1.0]
    with pytest.warns(FutureWarning, match="'n_alphas' was deprecated in 1.9"):
        assert counted_strengths("enet_path", 100, 5) == 5
    with pytest.warns(FutureWarning, match="'alphas=None' is deprecated"):
        assert counted_strengths("enet_path", None, "deprecated") == 100


@pytest.mark.parametrize("cls", [LassoCV, ElasticNetCV])
def test_the_number_of_strengths_by_its_name_in_scikit_learn_1_8(cls):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.warns(FutureWarning, match="deprecated in 1.7 and will be removed in 1.9"):
        model = cls(n_alphas=7, cv=2).fit(X, X[:, 0])
    assert model.alphas_.tolist() == cls(alphas=7, cv=2).fit(X, X[:, 0]).alphas_.tolist()
