"""Observations along a line."""

import numpy as np

from margin.inference import Series


def test_rows_are_sorted_and_known(rows, series):
    x, noise, data = rows
    assert (np.diff(series.x) >= 0).all()
    for sorted_, given in ((series.x, x), (series.noise, noise), (series.data, data)):
        np.testing.assert_array_equal(sorted_, given[series.order])
    np.testing.assert_allclose(np.cumsum(series.gap), series.x - series.x[0], atol=1e-14)
    assert series.gap[0] == 0.0
    assert series.data.flags.c_contiguous


def test_twins_keep_their_order():
    twins = Series.of(np.zeros(3), np.zeros(3), np.arange(3.0)[:, None])
    np.testing.assert_array_equal(twins.data.ravel(), [0.0, 1.0, 2.0])


def test_one_row_and_none():
    assert Series.of(np.array([2.0]), np.zeros(1), np.zeros((1, 1))).gap.tolist() == [0.0]
    assert Series.of(np.empty(0), np.empty(0), np.empty((0, 1))).gap.size == 0


def test_variance_of_the_process(process):
    assert np.isclose(process.variance, 2.5)
