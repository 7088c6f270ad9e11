"""What counts as sequences of real vectors."""

import numpy as np
import pandas as pd
import pytest

from margin.core import Sequences
from margin.sequence._real_sequences import real_sequences


@pytest.mark.parametrize(
    ("X", "lengths", "shape"),
    [
        (np.zeros(4), None, (1, 4, 1)),
        (np.zeros((4, 2)), None, (1, 4, 2)),
        (np.zeros((3, 4, 2)), None, (3, 12, 2)),
        (np.zeros((4, 2)), [1, 3], (2, 4, 2)),
        ([np.zeros(2), np.zeros(3)], None, (2, 5, 1)),
        (Sequences([np.zeros((2, 3))]), None, (1, 2, 3)),
        (pd.DataFrame({"a": [1, 2]}), None, (1, 2, 1)),
        ([np.array([1, None], dtype=object)], None, (1, 2, 1)),
    ],
)
def test_accepted(X, lengths, shape):
    found = real_sequences("Model", X, lengths)
    assert (len(found), *found.buffer.shape) == shape
    assert found.buffer.dtype == np.float64


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[np.nan]], {"missing": False}, "X must be observed everywhere"),
        ([[1.0]], {"width": 2}, "X must be of 2 numbers per row, got 1"),
        ([["a"]], {}, "X must be sequences of numbers"),
        ([np.zeros((0, 2))], {}, "X must be of at least 1 row"),
        ([[np.inf]], {}, "X must be finite"),
        ([np.zeros((2, 2, 2))], {}, "X must be sequences of numbers or vectors"),
    ],
)
def test_refused(X, options, message):
    with pytest.raises(ValueError, match=f"Model: {message}"):
        real_sequences("Model", X, **options)
