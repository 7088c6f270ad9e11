"""Resamples of rows."""

import time

import numpy as np

from margin.evaluation.resamples._draws import FEWEST, MOST, affordable, resampled


def test_a_resample_counts_as_many_rows_as_there_are():
    seen = []
    resampled([lambda weight: seen.append(weight.copy()) or 0.0], 7, np.random.default_rng(0), 40)
    assert len(seen) == 40
    assert all(w.sum() == 7 and (w == np.round(w)).all() for w in seen)
    assert any((w == 0).any() for w in seen)


def test_all_scores_see_the_same_rows():
    drawn = resampled([lambda w: w[0], lambda w: 2 * w[0]], 9, np.random.default_rng(1), 30)
    np.testing.assert_array_equal(2 * drawn[:, 0], drawn[:, 1])
    assert np.ptp(drawn[:, 0]) > 0


def test_slow_scores_are_drawn_less_often():
    def slow(weight):
        time.sleep(0.002)
        return 0.0

    assert FEWEST <= affordable(slow, 5, 0.3) <= 150
    assert affordable(slow, 5, np.inf) == MOST
