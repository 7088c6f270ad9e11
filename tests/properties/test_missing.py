"""Patterns of missing values partition the table."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from margin.core import missing

shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=11)
tables = hnp.arrays(np.float64, shapes, elements=st.sampled_from([1.0, np.nan]))


@given(tables)
def test_patterns_partition_the_rows_and_describe_them(X):
    seen = []
    described = set()
    for pattern in missing.patterns(X):
        assert tuple(pattern.columns) not in described
        described.add(tuple(pattern.columns))
        assert np.all(np.diff(pattern.rows) > 0)
        seen.extend(pattern.rows.tolist())
        block = missing.observed(X[pattern.rows])
        assert block[:, pattern.columns].all()
        assert block.sum() == len(pattern.rows) * len(pattern.columns)
    assert sorted(seen) == list(range(len(X)))
