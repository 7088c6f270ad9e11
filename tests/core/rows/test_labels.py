import numpy as np
import pytest
from sklearn.base import BaseEstimator

from margin.core import check


class Model(BaseEstimator):
    def __init__(self, value=None):
        self.value = value

    def fit(self, X, y):
        return self


def refusal(call, *args, error=ValueError, **kwargs):
    with pytest.raises(error) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def test_classes_are_sorted_and_coded():
    labels, codes = check.classes("Model", np.array([3, 1, 3, 2]))
    assert labels.tolist() == [1, 2, 3]
    assert codes.tolist() == [2, 0, 2, 1]


def test_classes_refusals():
    one = refusal(check.classes, "Model", np.array(["a", "a"]))
    assert one == "Model: y must hold at least 2 classes, got 1 class ('a')"
    number = refusal(check.classes, "Model", np.array([7, 7, 7]))
    assert number == "Model: y must hold at least 2 classes, got 1 class (7)"
    assert "Unknown label type" in refusal(check.classes, "Model", np.array([0.5, 1.7]))


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 3, 2]),
        np.array([-5, 7, 7, -5, 0], dtype=np.int8),
        np.array([2**63, 5, 5], dtype=np.uint64),
        np.array([2**62, -(2**62), 1]),
        np.array([2**40 + 1, 2**40, 2**40 + 1]),
        np.array([True, False, True]),
        np.array([False, False]),
        np.array([4]),
        np.array([], dtype=np.int64),
    ],
)
def test_distinct_integers_are_those_of_a_sort(values):
    labels, codes = check.distinct(values)
    expected, inverse = np.unique(values, return_inverse=True)
    assert labels.dtype == expected.dtype
    assert codes.dtype == np.intp
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(codes, inverse)
