import numpy as np
import pytest

from margin.causal.tables._rows import cluster_codes, weighed_rows


def test_rows_of_positive_weight():
    frame = {"x": [1.0, np.nan, 4.0], "y": ["a", "b", None]}
    found = weighed_rows("A", frame, ["x", "y", "x"], [2, 0, 6])
    assert list(found.columns) == ["x", "y"]
    assert found.columns["x"].tolist() == [1, 4]
    assert found.shares.tolist() == [0.5, 1.5]
    assert (found.n, found.used.tolist()) == (2, [True, False, True])
    every = weighed_rows("A", frame, ["x"], None)
    assert (every.weight, every.n, every.shares.tolist()) == (None, 3, [1, 1, 1])
    with pytest.raises(ValueError, match="A: sample_weight"):
        weighed_rows("A", frame, ["x"], [1, 2])


def test_clusters_of_the_rows_that_are_used():
    used = np.array([True, False, True])
    assert cluster_codes("A", {}, None, used) is None
    assert cluster_codes("A", {}, ["b", None, "a"], used).tolist() == [1, 0]
    assert cluster_codes("A", {"c": [2, 2, 1]}, "c", used).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        ([1, 2], "A: clusters must be of length 3"),
        ([1, None, 2], "A: column 'clusters' must be known everywhere"),
        ([1, 1, 1], "A: clusters must be at least two"),
        ("q", "A: frame must be with a column 'q'"),
    ],
)
def test_clusters_that_say_nothing(clusters, message):
    with pytest.raises(ValueError, match=message):
        cluster_codes("A", {"c": [1]}, clusters, np.ones(3, bool))
