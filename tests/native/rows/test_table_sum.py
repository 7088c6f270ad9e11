import numpy as np
import pytest

from margin.native.rows.table_sum import table_sum


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_sum_of_any_array(order, dtype, rng):
    X = np.array(rng.normal(size=(3000, 70)), dtype=dtype, order=order)
    assert table_sum(X, 2) == pytest.approx(X.sum(dtype=float), rel=1e-9)
    assert table_sum(X[::2, ::3], 2) == pytest.approx(X[::2, ::3].sum(dtype=float), rel=1e-9)
    assert table_sum(X[:0], 1) == 0.0


@pytest.mark.parametrize("awkward", [np.nan, np.inf, -np.inf])
def test_one_number_that_is_not_finite_shows(awkward, rng):
    X = rng.normal(size=(300, 70))
    X[171, 3] = awkward
    assert not np.isfinite(table_sum(X, 2))


def test_the_same_for_any_number_of_threads(rng):
    X = rng.normal(size=(3_000_001,))
    assert table_sum(X, 1) == table_sum(X, 3)
