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


def test_weights_accepts_none_scalar_and_array():
    assert check.weights("Ridge", None, 3) is None
    assert check.weights("Ridge", 2, 3).tolist() == [2.0, 2.0, 2.0]
    made = check.weights("Ridge", [0, 1, 2], 3)
    assert made.dtype == np.float64
    assert made.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [1, 2],
            "Ridge: sample_weight must be of length 3, got 2: sample_weight.shape == (2,), "
            "expected (3,)!",
        ),
        ([1, np.nan, 1], "Ridge: sample_weight must be finite everywhere, got 'NaN or infinity'"),
        ([1, np.inf, 1], "Ridge: sample_weight must be finite everywhere, got 'NaN or infinity'"),
        (
            [1, -0.5, 1],
            "Ridge: sample_weight must be at least 0 everywhere, got -0.5: Negative values in data "
            "passed to `sample_weight`",
        ),
        (
            [0, 0, 0],
            "Ridge: sample_weight must be above 0 somewhere, got all zeros; Invalid input - all "
            "samples have zero or negative weights.",
        ),
        (
            np.ones((3, 1)),
            "Ridge: Sample weights must be 1D array or scalar, got an array of shape (3, 1)",
        ),
        (["a", "b", "c"], "Ridge: sample_weight must be numbers, got ['a', 'b', 'c']"),
    ],
)
def test_weights_refusals(given, message):
    assert refusal(check.weights, "Ridge", given, 3) == message


def test_negative_weights_leave_rows_out_where_that_is_asked_for():
    assert check.weights("SVC", [1, -0.5, 2], 3, negative=True).tolist() == [1.0, 0.0, 2.0]
    assert "above 0 somewhere" in refusal(check.weights, "SVC", [-1, 0], 2, negative=True)


@pytest.mark.parametrize(
    "given",
    [np.ones((3, 2))[:, 0], np.broadcast_to(1.0, 3), np.ones(3)[::-1], np.ones(6, np.float32)[::2]],
)
def test_weights_come_back_contiguous_however_they_lie_in_memory(given):
    made = check.weights("Ridge", given, 3)
    assert made.flags.c_contiguous
    assert made.tolist() == [1.0, 1.0, 1.0]
