"""Series beside their past."""

import numpy as np
import pandas as pd
import pytest

from margin.causal.discovery.time._lagged_table import LaggedTable
from margin.core import Sequences


def test_columns_and_containers():
    x = np.arange(40.0).reshape(20, 2) ** 1.5
    table = LaggedTable.of("T", x, 2)
    assert table.values.shape == (18, 6)
    for lag in range(3):
        np.testing.assert_array_equal(table.values[:, 2 * lag : 2 * lag + 2], x[2 - lag : 20 - lag])
    for other in ([x], Sequences([x]), x.tolist(), [pd.DataFrame(x), x[:2]]):
        np.testing.assert_array_equal(LaggedTable.of("T", other, 2).values, table.values)
    assert LaggedTable.of("T", pd.DataFrame(x, columns=["a", "b"]), 1).names == ("a", "b")
    np.testing.assert_allclose(table.standardised[:, :2].std(axis=0), 1.0)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "at least one series"),
        (np.zeros(9), "two-dimensional series"),
        ([["a", "b"], ["c", "d"]], "series of numbers"),
        (np.ones((30, 2)), "column 0 must be not constant"),
        (pd.DataFrame(np.ones((9, 2)), columns=["a", "a"]), "name of its own"),
    ],
)
def test_refusals(X, message):
    with pytest.raises(ValueError, match=message) as error:
        LaggedTable.of("T", X, 1)
    assert str(error.value).startswith("T: ")
