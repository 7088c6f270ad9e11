"""What is known about a column."""

from typing import get_args

import pandas as pd

from margin.evaluation import ColumnInfo, describe_columns
from margin.evaluation.table._column_info import Scale


def test_a_column_is_described_by_a_value():
    (column,) = describe_columns(pd.DataFrame({"x": [1.5, None, 2.5, 0.25]}))
    assert isinstance(column, ColumnInfo)
    assert (column.name, column.scale, column.n_missing, column.used) == ("x", "numeric", 1, True)
    assert column.scale in get_args(Scale)
    assert ColumnInfo("x", "numeric", "", 2, 1, True).summary == ""
