"""Rows as cells of a grid."""

import numpy as np

from margin.gp.grid._layout import completed, layout

COLUMNS = ((0,), (1,))


def grid(*sizes):
    axes = np.meshgrid(*(np.sqrt(np.arange(1.0, m + 1)) for m in sizes), indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, len(sizes))


def test_any_order_of_the_rows():
    """gp.11: a grid up to a permutation."""
    X = grid(3, 4)
    order = np.random.default_rng(0).permutation(12)
    found = layout(COLUMNS, X[order])
    assert found.shape == (3, 4)
    assert str(found) == "3 x 4"
    assert (found.cell == order).all()
    assert not len(found.missing)
    Y = np.arange(24.0).reshape(12, 2)
    assert (found.on_grid(Y[order]) == Y).all()


def test_points_of_several_columns():
    """Stations anywhere times hours: an axis may be scattered points."""
    stations = np.random.default_rng(0).normal(size=(5, 2))
    hours = np.arange(3.0)
    X = np.column_stack([np.repeat(stations, 3, axis=0), np.tile(hours, 5)])
    found = layout(((0, 1), (2,)), X)
    assert found.shape == (5, 3)
    rows = [np.concatenate([found.points[0][c // 3], found.points[1][c % 3]]) for c in found.cell]
    assert (np.array(rows) == X).all()
    assert layout(((0,), (1,), (2,)), X) is None


def test_gaps_are_counted():
    X = np.delete(grid(3, 4), [2, 7], axis=0)
    found = layout(COLUMNS, X)
    assert found.missing.tolist() == [2, 7]
    assert not found.on_grid(np.ones((10, 1)))[[2, 7]].any()


def test_what_is_no_grid():
    X = grid(3, 4)
    assert layout(COLUMNS, np.vstack([X, X[:1]])) is None
    assert layout(COLUMNS, np.random.default_rng(0).normal(size=(50, 2))) is None


def test_a_line_is_completed():
    x = np.linspace(3.0, 7.0, 60)
    kept = np.delete(np.arange(60), [4, 30, 31])
    found = layout(((0,),), x[kept, None][::-1], complete=True)
    assert found.missing.tolist() == [4, 30, 31]
    assert (found.points[0][found.cell, 0] == x[kept][::-1]).all()
    np.testing.assert_allclose(found.points[0][:, 0], x, rtol=1e-15)


def test_other_numbers_stay_as_they_are():
    for x in ([0.0], [0.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.5], [0.0, 1e-9, 1.0, 2.0]):
        made, index = completed(np.array(x))
        assert made.tolist() == x
        assert index.tolist() == list(range(len(x)))
