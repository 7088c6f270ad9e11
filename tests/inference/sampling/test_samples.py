"""Weighted samples."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import Samples, ZeroProbabilityError


def test_estimates_are_weighted_frequencies():
    states = np.array([[0, 1], [1, 1], [1, 0], [0, 1]])
    samples = Samples(states, (2, 3), np.log([1.0, 2.0, 3.0, 2.0]))
    assert_allclose(samples.weight, [0.125, 0.25, 0.375, 0.25])
    assert_allclose(samples.marginal(0), [0.375, 0.625])
    assert_allclose(samples.marginal(1, 0), [[0.0, 0.375], [0.375, 0.25], [0.0, 0.0]])
    assert [len(m) for m in samples.marginals()] == [2, 3]
    assert samples.effective_size == pytest.approx(64 / 18)


def test_huge_weights_do_not_overflow_and_no_weight_is_an_error():
    samples = Samples(np.zeros((2, 1), dtype=int), (1,), np.array([5000.0, 5000.0]))
    assert samples.effective_size == pytest.approx(2.0)
    empty = Samples(np.zeros((2, 1), dtype=int), (1,), np.full(2, -np.inf))
    with pytest.raises(ZeroProbabilityError, match="agree with the evidence"):
        empty.marginal(0)
