import numpy as np
import pandas as pd
import pytest

from margin.linear import SmoothingSpline
from margin.linear.curves._curve_data import curve_data


def test_ties_are_averaged_by_weight():
    knots, mean, total, ties = curve_data(
        SmoothingSpline(), [2.0, 1.0, 2.0, 5.0], [1.0, 7.0, 4.0, 9.0], [1.0, 1.0, 2.0, 0.0]
    )
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
