"""Parameters of distributions: checked, broadcast, shown."""

import numpy as np
import pytest

from margin.distributions import Beta, MultivariateNormal, Normal
from margin.distributions._parameters import (
    coordinates,
    parameter,
    points,
    probabilities,
    shown,
    together,
)


def test_coordinates_of_every_kind():
    assert coordinates("D", 1, 3).tolist() == [1]
    assert coordinates("D", -1, 3).tolist() == [2]
    assert coordinates("D", [2, 0], 3).tolist() == [2, 0]
    assert coordinates("D", slice(1, None), 3).tolist() == [1, 2]
    assert coordinates("D", [True, False, True], 3).tolist() == [0, 2]
    assert coordinates("D", [], 3).tolist() == []


@pytest.mark.parametrize(
    ("idx", "message"),
    [
        (3, "D: idx must be coordinates below 3, got 3"),
        ([0, 0], "D: idx must be distinct coordinates"),
        ([0, -3], "D: idx must be distinct coordinates"),
        ([0.5], "D: idx must be coordinates below 3"),
        ([[0, 1]], "D: idx must be distinct coordinates"),
    ],
)
def test_bad_coordinates_are_refused(idx, message):
    with pytest.raises(ValueError, match=message):
        coordinates("D", idx, 3)


def test_parameters_are_copied_checked_and_locked():
    given = np.array([1.0, 2.0])
    made = parameter("D", "scale", given)
    given[0] = 9.0
    assert made.tolist() == [1.0, 2.0]
    assert not made.flags.writeable
    for value, message in [
        ("a", "scale must be numbers, got 'a'"),
        (np.nan, "scale must be finite, got 'NaN'"),
        (np.inf, "scale must be finite, got 'infinity'"),
        (0.0, r"scale must be above 0, got 0\.0"),
    ]:
        with pytest.raises(ValueError, match=message):
            parameter("D", "scale", value, positive=True)


def test_parameters_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match=r"D: a and b must be of matching shapes, got '\(2,\) and"):
        together("D", a=np.ones(2), b=np.ones(3))


def test_levels_come_before_the_shape():
    assert probabilities("D", [0.1, 0.2], (5, 6)).shape == (2, 1, 1)


def test_long_parameters_are_shown_by_their_range():
    assert shown(np.arange(10.0)) == "0 … 9"
    assert shown(np.array(2.5)) == "2.5"
    assert shown(np.array([1.0, 0.25])) == "[1.  , 0.25]"


def test_points_go_with_the_parameters():
    pair = Normal([0.0, 1.0], 1.0)
    assert points(pair, 3).shape == ()
    assert points(pair, [[1, 2], [3, 4], [5, 6]]).dtype == np.float64
    for x, message in [
        (np.ones((4, 3)), r"Normal: x must be of a shape ending in \(2,\), got \(4, 3\)"),
        ("a", "Normal: x must be numbers, got 'a'"),
        ([[1.0], [1.0, 2.0]], "Normal: x must be numbers"),
    ]:
        for act in (points, Normal.log_prob, Normal.cdf):
            with pytest.raises(ValueError, match=message):
                act(pair, x)


def test_tables_of_other_columns_are_refused():
    with pytest.raises(ValueError, match="x must be of a shape ending in"):
        Beta([2.0, 3.0], 1.0).cdf(np.full((4, 2, 1, 3), 0.5))
    none = MultivariateNormal.fit(np.ones((4, 0)))
    with pytest.raises(ValueError, match="must be"):
        none.log_prob(np.ones((4, 2)))
