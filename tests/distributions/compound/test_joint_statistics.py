"""Statistics of several groups of columns (distributions.37)."""

import pytest

from margin.distributions import JointStatistics, Normal, Poisson


def test_parts_add_up():
    """distributions.37."""
    first = JointStatistics((Normal.statistics([1.0]), Poisson.statistics([2.0, 3.0])))
    total = sum([first, first])
    assert [float(p.weight) for p in total.parts] == [2.0, 4.0]
    with pytest.raises(ValueError, match="JointStatistics: parts must be 2, got 1"):
        first + JointStatistics(first.parts[:1])
