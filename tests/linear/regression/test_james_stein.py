"""James-Stein shrinkage (distributions.41)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import james_stein


def risk(theta, variance=1.0, n=200_000, seed=0, **settings):
    noise = np.random.default_rng(seed).normal(size=(n, len(theta))) * np.sqrt(variance)
    guess = james_stein(theta + noise, variance, **settings)
    return np.mean(np.sum((guess - theta) ** 2, axis=1))


def test_worked_numbers():
    """distributions.41: factor 1 - 1/25 for (3, 4, 0) and unit noise."""
    assert_allclose(james_stein([3, 4, 0]), [2.88, 3.84, 0.0], rtol=1e-15)
    assert_allclose(james_stein([3, 4, 0], 5.0), [2.4, 3.2, 0.0], rtol=1e-15)


@pytest.mark.parametrize("d", [3, 5, 10])
def test_risk_at_the_origin_is_two(d):
    """distributions.41: exactly 2, against d for the observations themselves."""
    assert_allclose(risk(np.zeros(d), positive_part=False), 2.0, atol=0.05)
    assert risk(np.zeros(d)) < 2.0


@pytest.mark.parametrize("d", [3, 4, 8])
@pytest.mark.parametrize("size", [0.0, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("positive_part", [True, False])
def test_risk_is_below_maximum_likelihood(d, size, positive_part):
    """distributions.41: for d >= 3 wherever the means are, by simulation with common noise."""
    theta = size * np.ones(d) / np.sqrt(d)
    noise = np.sqrt(2.5) * np.random.default_rng(1).normal(size=(50_000, d))
    plain = np.sum(noise**2, axis=1)
    guess = james_stein(theta + noise, 2.5, positive_part=positive_part)
    gain = plain - np.sum((guess - theta) ** 2, axis=1)
    error = gain.std() / np.sqrt(len(gain))
    assert gain.mean() > 4 * error


def test_positive_part_is_better_and_never_turns_around():
    """distributions.41."""
    theta = np.array([0.5, -0.5, 0.2, 0.1])
    assert risk(theta) < risk(theta, positive_part=False)
    small = np.array([0.1, 0.2, -0.1])
    assert_array_equal(james_stein(small), 0.0)
    assert (james_stein(small, positive_part=False) * small < 0).all()


def test_risk_agrees_with_steins_formula():
    """distributions.41: d - (d-2)^2 E[1/|x|^2], both sides by simulation."""
    theta = np.array([1.0, 2.0, -1.0, 0.0, 0.5])
    x = theta + np.random.default_rng(2).normal(size=(400_000, 5))
    wanted = 5 - 9 * np.mean(1 / np.sum(x**2, axis=1))
    assert_allclose(risk(theta, n=400_000, positive_part=False), wanted, atol=0.03)


def test_towards_the_mean():
    """distributions.41: far from the origin but near each other, only the mean helps."""
    theta = 100.0 + np.array([0.3, -0.2, 0.1, 0.0, -0.2])
    assert risk(theta, towards="mean") < 4.0
    assert risk(theta) > 4.9
    x = np.array([1.0, 2.0, 3.0, 8.0])
    assert_allclose(james_stein(x, towards="mean"), 3.5 + (1 - 1 / 29) * (x - 3.5))
    assert_allclose(james_stein(x + 7, towards="mean"), james_stein(x, towards="mean") + 7)
    assert_allclose(james_stein(np.full(5, 3.0), towards="mean"), 3.0)


@pytest.mark.parametrize(("d", "towards"), [(1, "zero"), (2, "zero"), (3, "mean"), (2, "mean")])
def test_too_few_dimensions_return_the_observations(d, towards):
    """distributions.41: d <= 2, or one more for the mean."""
    x = np.random.default_rng(3).normal(size=(4, d))
    assert_array_equal(james_stein(x, 9.0, towards=towards), x)


def test_rows_are_separate_and_the_input_is_kept():
    x = np.random.default_rng(4).normal(size=(2, 3, 5))
    before = x.copy()
    found = james_stein(x)
    assert_array_equal(x, before)
    assert_allclose(found[1, 2], james_stein(x[1, 2]))
    assert_array_equal(james_stein(np.zeros(4), positive_part=False), 0.0)


def test_bad_input_is_refused():
    for name, arguments in {
        "x": ([np.nan, 1, 2],),
        "variance": ([1, 2, 3], 0.0),
        "towards": ([1, 2, 3], 1.0),
    }.items():
        towards = "median" if name == "towards" else "zero"
        with pytest.raises(ValueError, match=f"james_stein: {name} must be"):
            james_stein(*arguments, towards=towards)
