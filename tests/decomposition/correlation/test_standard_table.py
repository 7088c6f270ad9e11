import numpy as np
import pytest

from margin.decomposition.correlation._standard_table import standard_table


def test_weights_are_repetitions():
    rng = np.random.default_rng(0)
    X, times = rng.normal(size=(7, 3)), np.array([1, 2, 0, 3, 1, 1, 2])
    heavy = standard_table(X, times.astype(float), True)
    long = standard_table(np.repeat(X, times, axis=0), None, True)
    np.testing.assert_allclose(heavy.mean, long.mean)
    np.testing.assert_allclose(heavy.scale, long.scale)


def test_constant_columns_far_from_zero_become_zero():
    X = np.column_stack([np.full(9, 0.1) + 1e6, np.arange(9.0)])
    table = standard_table(X, None, True)
    assert (table.rows[:, 0] == 0).all()
    assert table.scale[0] == 1


def test_in_place_only_where_it_may():
    X = np.arange(6.0).reshape(3, 2)
    assert standard_table(X, None, True, in_place=True).rows is X
    locked = np.arange(6.0).reshape(3, 2)
    locked.setflags(write=False)
    assert standard_table(locked, None, True, in_place=True).rows is not locked


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_squares_neither_overflow_nor_vanish(scale):
    X = np.random.default_rng(0).normal(size=(20, 2))
    table, usual = standard_table(scale * X, None, True), standard_table(X, None, True)
    np.testing.assert_allclose(table.rows, usual.rows, rtol=1e-9)
    np.testing.assert_allclose(table.scale, scale * usual.scale, rtol=1e-9)
