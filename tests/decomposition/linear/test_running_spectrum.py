"""Principal axes carried from batch to batch."""

import numpy as np
from numpy.testing import assert_allclose

from margin.decomposition._blocks import moments
from margin.decomposition.linear._running_spectrum import RunningSpectrum
from margin.decomposition.linear._spectrum import from_moments

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3)) @ RNG.normal(size=(3, 9)) + 4


def _run(most, k):
    running = RunningSpectrum.start(9, k, most)
    for part in np.array_split(X, 7):
        running = running.add(moments, part, None)
    return running


def test_both_ways_are_exact_where_nothing_is_lost():
    """With all axes of three kept, the carried ones miss nothing either."""
    exact = from_moments(moments(X), 3)
    for most in (9, 0):
        found = _run(most, 3).spectrum()
        assert_allclose(found.squares, exact.squares, rtol=1e-9)
        assert_allclose(found.axes, exact.axes, atol=1e-9)
        assert_allclose(found.mean, X.mean(axis=0))
        assert_allclose(found.total, exact.total, rtol=1e-10)


def test_methods_are_named():
    assert _run(9, 2).method == "summed moments"
    assert _run(0, 2).method == "leading axes of every batch"
