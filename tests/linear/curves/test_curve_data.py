import numpy as np
import pandas as pd
import pytest

from margin.linear import SmoothingSpline
from margin.linear.curves._curve_data import as_column, distinct_points


def test_ties_are_averaged_by_weight():
    x, y, s = [2.0, 1.0, 2.0, 5.0], [1.0, 7.0, 4.0, 9.0], [1.0, 1.0, 2.0, 0.0]
    knots, mean, total, ties = distinct_points(*map(np.array, (x, y, s)))
    np.testing.assert_array_equal(knots, [1.0, 2.0])
    np.testing.assert_allclose(mean, [7.0, 3.0])
    np.testing.assert_allclose(total, [1.0, 3.0])
    assert ties == pytest.approx(1 * 4 + 2 * 1)


def test_frames_keep_their_name_and_wide_input_is_refused():
    frame = pd.DataFrame({"hour": [0.0, 1.0, 2.0, 3.0]})
    model = SmoothingSpline(alpha=1.0).fit(frame, [0.0, 1.0, 0.0, 1.0])
    assert list(model.feature_names_in_) == ["hour"]
    assert model.predict(frame).shape == (4,)
    with pytest.raises(ValueError, match="SmoothingSpline: X must be one column, got '2 columns'"):
        SmoothingSpline().fit(np.zeros((4, 2)), np.zeros(4))


def test_numbers_become_a_column_and_frames_stay():
    assert as_column([1.0, 2.0]).shape == (2, 1)
    assert as_column(np.zeros((3, 2))).shape == (3, 2)
    frame = pd.DataFrame({"hour": [0.0, 1.0]})
    assert as_column(frame) is frame


def test_rows_are_gathered_like_numbers():
    rows = np.array([[1.0, 2.0], [0.0, 5.0], [1.0, 2.0]])
    data = distinct_points(rows, np.array([1.0, 4.0, 3.0]), None)
    np.testing.assert_array_equal(data.points, [[0.0, 5.0], [1.0, 2.0]])
    np.testing.assert_array_equal(data.mean, [4.0, 2.0])
    assert data.ties == 2.0
