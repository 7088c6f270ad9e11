"""Durbin's recursion against the dense inverse."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import toeplitz as dense

from margin.native import _native
from margin.native.series import toeplitz


@pytest.mark.parametrize("m", [1, 2, 7, 8, 9, 64])
def test_first_columns(m):
    rng = np.random.default_rng(m)
    rows = np.exp(-np.outer(rng.uniform(0.2, 2.0, 5), np.arange(m)))
    found = toeplitz.inverse(rows, np.zeros(5), 1)
    for row, column, log_det, least in zip(rows, *found, strict=True):
        A = dense(row)
        assert_allclose(column, np.linalg.inv(A)[:, 0], rtol=1e-9, atol=1e-10)
        assert log_det == pytest.approx(np.linalg.slogdet(A)[1], abs=1e-9)
        # Prediction errors are ratios of determinants.
        minors = [np.linalg.det(A[:i, :i]) if i else 1.0 for i in range(m + 1)]
        ratios = np.divide(minors[1:], minors[:-1]) if m < 10 else [1.0 / column[0]]
        assert least == pytest.approx(np.min(ratios), rel=1e-6)
    two = toeplitz.inverse(rows, np.zeros(5), 2)
    assert all((a == b).all() for a, b in zip(found, two, strict=True))


def test_recursion_stops_where_nothing_is_left():
    rows = np.array([[1.0, 1.0, 1.0], [1.0, 0.5, 0.25], [1.0, np.nan, 0.0]])
    found = toeplitz.inverse(rows, np.full(3, 1e-12), 1)
    assert found.smallest[0] == 0.0
    assert found.smallest[1] == pytest.approx(0.75)
    assert not found.smallest[2] > 1e-12
    assert toeplitz.inverse(rows[:0], np.empty(0), 1).columns.shape == (0, 3)


def test_wrong_shapes_are_refused():
    rows, one = np.ones((2, 3)), np.ones(2)
    for bad in ((rows, one[:1], rows, one, one), (rows, one, rows[:1], one, one)):
        with pytest.raises(ValueError, match="toeplitz_inverse: arrays of different shape"):
            _native.toeplitz_inverse(*(array.copy() for array in bad), 1)
