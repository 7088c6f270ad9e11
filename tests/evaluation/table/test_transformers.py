"""Numbers, text and dates out of raw columns."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from margin.evaluation.table._transformers import AsNumbers, AsText, DateParts


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        ["1", "2.0"],
        np.array([1, 2], dtype=np.float32),
        pd.array([1, 2], dtype="Int64"),
        pd.Categorical([1, 2]),
        pd.to_timedelta([1, 2], unit="D"),
    ],
)
def test_numbers_however_they_are_held(values):
    frame = pd.DataFrame({"a": values})
    out = AsNumbers().fit(frame).transform(frame)
    assert out.dtype == np.float64
    assert out.ravel().tolist() == [1.0, 2.0]


def test_missing_numbers_are_nan():
    frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": ["2", None]})
    np.testing.assert_array_equal(AsNumbers().fit_transform(frame), [[1, 2], [np.nan, np.nan]])


def test_new_rows_that_hold_no_number_are_refused_by_name():
    fitted = AsNumbers().fit(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(ValueError, match="column 'a' must hold numbers, got 'n/a'"):
        fitted.transform(pd.DataFrame({"a": ["n/a"]}))
    with pytest.raises(ValueError, match="column 'a' must be finite"):
        fitted.transform(pd.DataFrame({"a": [np.inf]}))


def test_text_of_one_column_is_one_dimensional():
    column = pd.Series(["Good_Day", None], name="note")
    assert AsText(missing="").fit(column).transform(column).tolist() == ["Good_Day", ""]
    assert AsText(words=True).fit(column).transform(column).tolist() == ["good day", "(missing)"]
    assert AsText(missing=None).fit(column).transform(column)[1] is np.nan


def test_date_parts_agree_with_pandas():
    dates = pd.Series(pd.date_range("2019-12-30 06:00", periods=40, freq="11D"))
    out = DateParts().fit_transform(pd.DataFrame({"d": dates}))
    expected = [dates.dt.year, dates.dt.month, dates.dt.day_of_week, (dates - dates[0]).dt.days]
    np.testing.assert_array_equal(out[:, :4], np.column_stack(expected))
    np.testing.assert_allclose(out[:, 4], 6.0)


def test_days_count_from_the_first_training_date():
    parts = DateParts().fit(pd.DataFrame({"d": ["2024-01-10", "2024-01-20"]}))
    new = parts.transform(pd.DataFrame({"d": ["2024-01-11", None, "never"]}))
    assert new[0].tolist() == [2024, 1, 3, 1]
    assert np.isnan(new[1:]).all()
    assert parts.get_feature_names_out().shape == (4,)


def test_a_fold_without_any_date_is_no_trouble():
    parts = DateParts().fit(pd.DataFrame({"d": [None, None]}, dtype=object))
    assert parts.transform(pd.DataFrame({"d": [None]}, dtype=object)).shape == (1, 4)


@pytest.mark.parametrize("transformer", [AsNumbers(), AsText(missing=None), DateParts()])
def test_transformers_follow_the_conventions(transformer):
    assert clone(transformer).get_params() == transformer.get_params()
    frame = pd.DataFrame({"a": ["2024-01-01", "2024-01-02"]}, index=[5, 9])
    if not isinstance(transformer, AsNumbers):
        out = transformer.set_output(transform="pandas").fit_transform(frame)
        assert out.index.tolist() == [5, 9]
