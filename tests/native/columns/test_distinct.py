import numpy as np
import pytest

from margin.native import _native
from margin.native.columns.distinct import distinct_integers


def twin(values):
    labels, codes = np.unique(values, return_inverse=True)
    return labels, codes


@pytest.mark.parametrize("spread", [1, 2, 3, 60, 199])
@pytest.mark.parametrize("shift", [0, -100, 2**62, -(2**63)])
def test_integers_close_together_are_those_of_a_sort(spread, shift):
    values = np.random.default_rng(spread).integers(0, spread, 100) + np.int64(shift)
    for actual, expected in zip(distinct_integers(values), twin(values), strict=True):
        assert actual.dtype == np.int64
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("values", [[], [7], [5, 5, 5], [0, 4], [3, -1]])
def test_few_integers(values):
    values = np.array(values, dtype=np.int64)
    for actual, expected in zip(distinct_integers(values), twin(values), strict=True):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("values", [[0, 5], [-(2**63), 2**63 - 1], [2**62, -(2**62), 1]])
def test_integers_far_apart_are_left_to_a_sort(values):
    assert distinct_integers(np.array(values)) is None


def test_strided_integers():
    values = np.arange(20) % 3
    for actual, expected in zip(distinct_integers(values[::2]), twin(values[::2]), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_arrays_that_do_not_fit_are_refused():
    one, two = np.zeros(1, np.int64), np.zeros(2, np.int64)
    with pytest.raises(ValueError, match="as many as values"):
        _native.distinct_integers(two, one, two)
