"""Answers as mappings."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD
from margin.graphical.answers._by_target import ByTarget

NET = BayesianNetwork.from_edges(
    [("a", "b"), ("a", "x"), ("a", "y")],
    {
        "a": [0.3, 0.7],
        "b": [[0.9, 0.1], [0.4, 0.6]],
        "x": ConditionalGaussianCPD([0.0, 2.0], variance=1.0),
        "y": ConditionalGaussianCPD([5.0, 3.0], variance=0.5),
    },
    {"a": ["no", "yes"], "b": ["lo", "hi"]},
)


def test_tables():
    answer = NET.query(["b", "a"])
    assert list(answer) == ["b", "a"]
    assert len(answer) == 2
    assert "a" in answer
    assert "x" not in answer
    assert answer["a"] == pytest.approx({"no": 0.3, "yes": 0.7})
    assert answer["b"]["hi"] == pytest.approx(0.03 + 0.42)
    assert dict(answer).keys() == {"a", "b"}
    assert [name for name, _ in answer.items()] == ["b", "a"]
    rows = NET.query("b", pd.DataFrame({"a": ["no", "yes"]}))
    assert_allclose(rows["b"]["hi"], [0.1, 0.6])


def test_assignments():
    best = NET.query(["a", "b"], kind="map")
    assert best["a"] == "yes"
    assert dict(best) == best.to_dict()
    drawn = NET.query(["a", "x"], kind="sample", n_samples=5, random_state=0)
    assert drawn["x"].shape == (5,)
    assert set(drawn["a"]) <= {"no", "yes"}


def test_continuous_and_mixed_answers():
    answer = NET.query(["x", "y"], {"a": "yes"})
    assert_allclose(answer["y"].mean, [3.0])
    assert_allclose(answer["y"].var, [0.5])
    assert answer["y"].variables == ("y",)
    assert_allclose(answer["x"].log_prob([2.0]), -0.5 * np.log(2 * np.pi))
    mixed = NET.query(["x", "a"])
    assert mixed["a"]["yes"] == pytest.approx(0.7)
    assert_allclose(mixed["x"].mean, [1.4])
    assert list(mixed) == ["x", "a"]


def test_names_that_were_not_asked_for():
    for answer in (NET.query("b"), NET.query("x"), NET.query(["b", "x"])):
        with pytest.raises(KeyError, match=r"target must be one of .* got 'q'"):
            answer["q"]
    with pytest.raises(TypeError, match="abstract"):
        ByTarget()
