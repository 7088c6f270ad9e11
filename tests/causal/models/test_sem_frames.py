import numpy as np
import pytest

from margin.causal import CausalGraph
from margin.causal.models._sem_frames import causal_dag, known_rows, ordered
from margin.graphs import DAG


def test_graphs():
    for graph in ([("a", "b")], CausalGraph.from_edges([("a", "b")]), DAG([("a", "b")])):
        assert tuple(causal_dag("SEM", graph).nodes) == ("a", "b")
    with pytest.raises(ValueError, match="without hidden causes"):
        causal_dag("SEM", CausalGraph.from_edges([("a", "b")], [("a", "b")]))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"a": [], "b": []}, "columns of one length above 0"),
        ({"a": [1.0], "b": [1.0, 2.0]}, "columns of one length"),
        ({"a": ["x"], "b": [1.0]}, "column 'a' must be numbers"),
        ({"a": [np.inf], "b": [1.0]}, "without infinity"),
        ({"a": [np.nan], "b": [1.0]}, "column 'a' must be observed somewhere"),
    ],
)
def test_bad_frames(frame, message):
    with pytest.raises(ValueError, match=message):
        known_rows("SEM", frame, ("a", "b"))


def test_evidence():
    rows, single = ordered("SEM", {"b": [1, 2]}, ("a", "b"))
    assert not single
    assert np.isnan(rows[:, 0]).all()
    with pytest.raises(ValueError, match="a mapping or a data frame"):
        ordered("SEM", [1], ("a",))
