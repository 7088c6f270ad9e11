import numpy as np
import pytest

from margin.native.trees import exact


@pytest.fixture
def rng():
    return np.random.default_rng(12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_columns_are_sorted_with_missing_last(dtype, n_threads, rng):
    columns = rng.normal(size=(4, 200)).astype(dtype).round(1)
    columns[1] = 1 + rng.integers(0, 3, size=200) * np.finfo(np.float64).eps
    columns[2, ::5] = np.nan
    columns[3, :3] = [-0.0, 0.0, -np.inf]
    kinds = np.zeros(4, dtype=np.uint8)
    entries = exact.sort_columns(columns, kinds, n_threads)
    for column, entry in zip(columns, entries, strict=True):
        codes, rows = (entry >> np.uint64(32)).astype(np.int64), (entry & np.uint64(2**32 - 1))
        values = column[rows.astype(np.int64)]
        np.testing.assert_array_equal(np.sort(rows), np.arange(200))
        np.testing.assert_array_equal(values, np.sort(column))
        assert (codes[np.isnan(values)] == 2**32 - 1).all()
        known = values[~np.isnan(values)]
        np.testing.assert_array_equal(np.diff(codes[: len(known)]) > 0, np.diff(known) > 0)


def test_categories_are_their_own_codes():
    columns = np.array([[3.0, np.nan, 0.0, 70000.0, 3.0]])
    entries = exact.sort_columns(columns, np.ones(1, dtype=np.uint8), 1)
    np.testing.assert_array_equal(entries >> np.uint64(32), [[0, 3, 3, 70000, 2**32 - 1]])


def test_empty_columns():
    assert exact.sort_columns(np.empty((2, 0)), np.zeros(2, dtype=np.uint8), 1).shape == (2, 0)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="different shape"):
        exact.sort_columns(np.ones((2, 3)), np.zeros(1, dtype=np.uint8), 1)


def test_weakest_links():
    # Root with a leaf on the left and a stump on the right: the stump goes first.
    left = np.array([1, -1, 3, -1, -1], dtype=np.int32)
    right = np.array([2, -1, 4, -1, -1], dtype=np.int32)
    risk = np.array([1.0, 0.1, 0.3, 0.1, 0.1])
    nodes, strengths, totals = exact.pruning_steps(left, right, risk)
    np.testing.assert_array_equal(nodes, [2, 0])
    np.testing.assert_allclose(strengths, [0.1, 0.6])
    np.testing.assert_allclose(totals, [0.4, 1.0])


def test_hostile_children():
    with pytest.raises(ValueError, match="after their parents"):
        exact.pruning_steps(
            np.array([0], dtype=np.int32), np.array([0], dtype=np.int32), np.ones(1)
        )
