import numpy as np
import pytest

from margin.linear._log_domain import LOG_TINY, finite, log, log_share, weighted_sum


def test_logarithm_of_zero_is_silent():
    np.testing.assert_array_equal(log(np.array([0.0, 1.0])), [-np.inf, 0.0])


def test_shares_of_nothing_are_what_was_asked_for():
    part, whole = np.array([1.0, 0.0, 0.0]), np.array([4.0, 2.0, 0.0])
    wanted = [np.log(0.25), -np.inf, np.log(0.5)]
    np.testing.assert_array_equal(log_share(part, whole, 0.5), wanted)


def test_impossible_values_become_finite():
    assert finite(np.array([-np.inf]))[0] == LOG_TINY
    assert finite(np.array([-3.0]))[0] == -3.0


def test_no_weight_times_minus_infinity_is_nothing():
    assert weighted_sum(0.0, np.array([-np.inf])) == 0.0
    assert weighted_sum(2.0, np.array([-1.0, -3.0])) == pytest.approx(-8.0)
