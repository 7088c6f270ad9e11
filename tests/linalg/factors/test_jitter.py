"""The steps of the jitter policy."""

from itertools import pairwise

import pytest

from margin.linalg.factors._jitter import EPS, jitters


def test_amounts_rise_tenfold_from_the_rounding_errors_to_the_largest():
    found = list(jitters(50, 2.0, 1e-6))
    assert found[0] == 0.0
    assert found[1] == pytest.approx(10 * 50 * EPS * 2.0)
    assert found[-1] == 2e-6
    ratios = [b / a for a, b in pairwise(found[1:-1])]
    assert ratios == pytest.approx([10.0] * len(ratios))


def test_nothing_may_be_allowed():
    assert list(jitters(50, 2.0, 0.0)) == [0.0]
    assert list(jitters(0, 0.0, 1.0)) == [0.0]
    with pytest.raises(ValueError, match="max_jitter must be"):
        next(jitters(1, 1.0, -1.0))
