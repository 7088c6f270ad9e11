"""What counts as converged."""

from dataclasses import dataclass

import numpy as np
import pytest

from margin.inference import LargestChange, Measure, Point, RelativeGain
from margin.inference.em._measures import leaves


@dataclass(frozen=True)
class Mixture:
    weights: np.ndarray
    means: dict


def at(parameters, bound=0.0):
    return Point(parameters, bound, None)


@pytest.mark.parametrize(
    ("before", "after", "floor", "gain"),
    [
        (-10.0, -8.0, 1.0, 0.25),
        (-0.5, -0.25, 1.0, 0.25),
        (-0.5, -0.25, 1e-300, 1.0),
        (-8.0, -10.0, 1.0, 0.2),
        (0.0, 0.0, 1.0, 0.0),
    ],
)
def test_gain_relative_to_the_bound(before, after, floor, gain):
    assert RelativeGain(floor)(at(None, before), at(None, after)) == gain


def test_nothing_is_measured_at_the_start_and_nan_is_not_hidden():
    assert RelativeGain()(None, at(1.0)) is None
    assert LargestChange()(None, at(1.0)) is None
    assert np.isnan(RelativeGain()(at(None, -1.0), at(None, np.nan)))


def test_change_of_nested_parameters():
    one = Mixture(np.array([0.5, 0.5]), {"a": [0.0, 1.0], "b": np.zeros((2, 2))})
    two = Mixture(np.array([0.75, 0.25]), {"a": [0.0, 1.5], "b": np.full((2, 2), -2.0)})
    assert LargestChange()(at(one), at(two)) == 2.0
    assert LargestChange()(at(one), at(one)) == 0.0
    assert LargestChange()(at(()), at(())) == 0.0
    assert [leaf.shape for leaf in leaves(one)] == [(2,), (), (), (2, 2)]
    with pytest.raises(ValueError, match="zip"):
        LargestChange()(at((1.0,)), at((1.0, 2.0)))


def test_words():
    assert LargestChange("largest change of a probability").kind.endswith("probability")
    assert RelativeGain().kind == "relative gain"
    with pytest.raises(TypeError, match="abstract"):
        Measure()
