"""Acquisition functions against simulated values."""

import numpy as np
import pytest

from margin.gp.optimisation._acquisition import (
    confidence_bound,
    expected_improvement,
    probability_of_improvement,
)


@pytest.mark.parametrize(("mean", "std"), [(0.3, 1.0), (-1.0, 0.2), (2.0, 0.5)])
def test_against_simulation(mean, std):
    draws = mean + std * np.random.default_rng(0).standard_normal(400_000)
    improvement = expected_improvement([mean], [std], 0.5)[0]
    assert improvement == pytest.approx(np.maximum(0.5 - draws, 0).mean(), abs=4e-3)
    below = probability_of_improvement([mean], [std], 0.5)[0]
    assert below == pytest.approx((draws < 0.5).mean(), abs=4e-3)


def test_without_uncertainty():
    np.testing.assert_array_equal(expected_improvement([1.0, 3.0], [0.0, 0.0], 2.0), [1.0, 0.0])
    np.testing.assert_array_equal(
        probability_of_improvement([1.0, 3.0], [0.0, 0.0], 2.0), [1.0, 0.0]
    )


def test_bound_prefers_low_and_unknown():
    score = confidence_bound([0.0, 1.0, 0.0], [0.1, 0.1, 0.5], 2.0)
    assert score.tolist() == [0.2, -0.8, 1.0]
