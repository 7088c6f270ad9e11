"""Losses summed over rows against a NumPy twin."""

import numpy as np
import pytest
import stochastic_twins as twins
from numpy.testing import assert_allclose

from margin.native.rows import stochastic
from margin.native.rows.row_values import row_value


@pytest.mark.parametrize("loss", twins.ALL)
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("weight", [True, False])
@pytest.mark.parametrize("n", [1, 64, 65, 150])
def test_sum_agrees_with_its_twin(loss, storage, weight, n):
    rows, X = twins.sample(loss, n=n, storage=storage, weight=weight)
    w = np.random.default_rng(1).normal(size=7)
    z = X @ w[:-1] + w[-1]
    each = [twins.value(loss, rows.shape, *pair) for pair in zip(z, rows.y, strict=True)]
    factor = rows.weight if weight else np.ones(n)
    assert_allclose(row_value(rows, w, 1), factor @ np.array(each), rtol=1e-12)


@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_to_the_bit_for_any_number_of_threads(storage, dtype):
    rows, _ = twins.sample(stochastic.LOGISTIC, n=600_000, p=3, storage=storage, dtype=dtype)
    w = np.random.default_rng(1).normal(size=4)
    one = row_value(rows, w, 1)
    assert [row_value(rows, w, k) for k in (2, 3, 8)] == [one] * 3


def test_no_rows_no_columns_and_nan():
    rows, _ = twins.sample(stochastic.HINGE, n=0)
    assert row_value(rows, np.zeros(7), 1) == 0.0
    rows, _ = twins.sample(stochastic.HINGE, n=5, p=0, weight=False)
    assert row_value(rows, np.zeros(1), 1) == 5.0
    rows, X = twins.sample(stochastic.LOGISTIC)
    X[3, 1] = np.nan
    rows = stochastic.Rows(rows.loss, 0.0, X, rows.y, None)
    assert np.isnan(row_value(rows, np.ones(7), 1))


def test_refuses_what_does_not_fit():
    for storage in ("dense", "sparse"):
        rows, _ = twins.sample(stochastic.HINGE, storage=storage)
        with pytest.raises(ValueError, match="different shape"):
            row_value(rows, np.zeros(0), 1)
        bad = stochastic.Rows(9, 0.0, rows.X, rows.y, None)
        with pytest.raises(ValueError, match="unknown loss"):
            row_value(bad, np.zeros(7), 1)
        bad = stochastic.Rows(2, 0.0, rows.X, rows.y[1:], None)
        with pytest.raises(ValueError, match="different shape"):
            row_value(bad, np.zeros(7), 1)
