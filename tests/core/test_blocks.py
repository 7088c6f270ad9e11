"""Tables that come in blocks of rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.core import Blocks

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_every_pass_begins_at_the_first_block():
    tables = [np.zeros((2, 1)), (np.ones((1, 1)), np.ones(1))]
    for source in (tables, lambda: iter(tables)):
        blocks = Blocks.of("Model", source)
        for _ in range(2):
            assert [len(block) for block in blocks] == [1, 2]
        assert Blocks.of("Model", blocks) is blocks


@pytest.mark.parametrize("once", [iter([1]), (x for x in [1]), 5, None])
def test_what_can_be_read_only_once_is_refused(once):
    with pytest.raises(ValueError, match="Model: blocks must be a list, another iterable that"):
        Blocks.of("Model", once)


def test_blocks_without_rows_are_passed_over():
    """Of some batches a filter leaves nothing."""
    tables = [np.zeros((0, 2)), np.ones((1, 2)), (np.zeros((0, 2)), np.zeros(0)), []]
    assert [block[0].shape for block in Blocks.of("Model", tables)] == [(1, 2)]
    sparse = [csr_array((0, 2)), csr_array((3, 2))]
    assert [block[0].shape for block in Blocks.of("Model", sparse)] == [(3, 2)]


def test_batches_of_arrow_are_frames_and_columns_are_arrays(tmp_path):
    columns = {"a": [1.0, None, 3.0], "b": [4, 5, 6]}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    whole = Blocks.of("Model", lambda: pq.ParquetFile(tmp_path / "rows.parquet").iter_batches(2))
    frames = [table for (table,) in whole]
    assert [len(table) for table in frames] == [2, 1]
    assert list(frames[0].columns) == ["a", "b"]
    np.testing.assert_array_equal(frames[0]["a"], [1.0, np.nan])
    pair = [(pa.table(columns), pa.array([1.0, 2.0, 3.0]), pa.chunked_array([[1.0], [2.0, 4.0]]))]
    table, first, second = next(iter(Blocks.of("Model", pair)))
    assert table.shape == (3, 2)
    np.testing.assert_array_equal(first, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(second, [1.0, 2.0, 4.0])
