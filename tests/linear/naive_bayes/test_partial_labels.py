import numpy as np
import pandas as pd
import pytest

from margin.linear.naive_bayes._partial_labels import partial_labels


@pytest.mark.parametrize(
    "y",
    [
        ["b", None, "a"],
        np.array(["b", np.nan, "a"], dtype=object),
        pd.Series(["b", pd.NA, "a"], dtype="string"),
        pd.Series(["b", None, "a"], dtype="category"),
    ],
)
def test_marks_of_no_label(y):
    labels, known = partial_labels(y)
    assert known.tolist() == [True, False, True]
    assert labels[known].tolist() == ["b", "a"]


def test_numbers_and_a_mark_of_ones_own():
    labels, known = partial_labels([1.0, np.nan, 0.0])
    assert known.tolist() == [True, False, True]
    assert labels.dtype == np.float64
    labels, known = partial_labels(np.array([2, -1, 3]), unlabelled=-1)
    assert known.tolist() == [True, False, True]
    assert labels.tolist() == [2, 2, 3]
    assert partial_labels(np.array([2, -1, 3]))[1] is None


def test_nothing_missing_nothing_known_and_what_is_no_vector():
    y = np.array(["a", "b"])
    assert partial_labels(y) == (y, None) or partial_labels(y)[0] is y
    assert partial_labels([None, None])[1].tolist() == [False, False]
    square = np.zeros((2, 2))
    assert partial_labels(square)[0] is square
    assert partial_labels(square)[1] is None
