"""Answers as tables and frames."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import AssignmentResult, QueryResult
from margin.graphical.answers._result import aligned

TABLE = np.array([[0.1, 0.2, 0.3], [0.2, 0.1, 0.1]])
STATES = (("no", "yes"), (0, 1, 2))


def test_joint_of_one_query():
    result = QueryResult(("a", "b"), STATES, TABLE)
    frame = result.to_frame()
    assert list(frame.columns) == ["a", "b", "probability"]
    assert_allclose(frame.query("a == 'yes' and b == 0")["probability"], [0.2])
    assert result.probability(a="no") == pytest.approx(0.6)
    assert result.probability(a="no", b=2) == pytest.approx(0.3)
    assert_allclose(result.marginals["b"], [0.3, 0.3, 0.4])
    assert repr(result).splitlines()[1].split() == ["no", "0", "0.1"]


def test_joint_of_many_queries():
    result = QueryResult(("a", "b"), STATES, np.stack([TABLE, TABLE]), batched=True)
    assert result.to_frame().shape == (2, 6)
    assert_allclose(result.to_frame()["yes", 0], [0.2, 0.2])
    assert_allclose(result.probability(b=1), [0.3, 0.3])
    assert_allclose(result.marginals["a"], [[0.6, 0.4]] * 2)
    assert "2 queries of a, b" in repr(result)
    single = QueryResult(("a",), STATES[:1], TABLE[:, :2], batched=True)
    assert list(single.to_frame().columns) == ["no", "yes"]


def test_best_configuration():
    result = QueryResult(("a", "b"), STATES, TABLE)
    assert result.best().to_dict() == {"a": "no", "b": 2}
    assert_allclose(np.exp(result.best().log_prob), 0.3)
    many = QueryResult(("a", "b"), STATES, np.stack([TABLE, TABLE[::-1]]), batched=True).best()
    assert many.values.tolist() == [["no", 2], ["yes", 2]]


def test_unknown_words_are_refused():
    result = QueryResult(("a", "b"), STATES, TABLE)
    with pytest.raises(ValueError, match="variable must be a target, got 'z'"):
        result.probability(z=1)
    with pytest.raises(ValueError, match="state of 'a' must be one of"):
        result.probability(a="maybe")


def test_assignments():
    one = AssignmentResult(("a", "b"), np.array(["yes", 2], dtype=object), np.float64(-1.0))
    assert one.to_dict() == {"a": "yes", "b": 2}
    values = np.array([[["yes", 2], ["no", 1]]] * 3, dtype=object)
    many = AssignmentResult(("a", "b"), values, np.zeros((3, 2)), batched=True, ranked=True)
    assert many.to_frame().shape == (6, 3)
    assert many.to_frame().index.names == ["row", "rank"]
    assert "log_prob" in repr(many)
    with pytest.raises(ValueError, match="one assignment, got many"):
        many.to_dict()


def test_alignment():
    assert aligned([("a", "b"), ("long", "c")]) == "a     b\nlong  c"
