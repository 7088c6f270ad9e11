"""Factors on one tree, against enumeration."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import MarkovNetwork
from margin.graphical.engines._engine import Question
from margin.graphical.engines._factor_engine import FactorEngine

MODEL = MarkovNetwork(
    {
        ("a", "b"): [[3.0, 1.0, 2.0], [1.0, 3.0, 0.5]],
        ("b", "c"): [[1.0, 4.0], [2.0, 1.0], [0.0, 1.0]],
    }
)
JOINT = np.einsum("ab,bc->abc", *(table for _, table in MODEL.factors))


def test_partition_function_probabilities_and_draws():
    engine = MODEL._engine()
    assert isinstance(engine, FactorEngine)
    assert_allclose(engine.log_partition, np.log(JOINT.sum()), rtol=1e-14)
    assert_allclose(engine.log_potential({"a": 1, "b": 0, "c": 1}), np.log(4.0))
    assert_allclose(np.exp(engine.log_prob({"b": 1})), JOINT[:, 1].sum() / JOINT.sum())
    given = JOINT[..., 1] / JOINT[..., 1].sum()
    assert_allclose(engine.query(Question(["b"], {"c": 1})).values, given.sum(axis=0))
    drawn = engine.sample(20_000, {"c": 1}, np.random.default_rng(0))
    assert set(drawn["c"]) == {1}
    assert_allclose(np.bincount(drawn["b"], minlength=3) / 20_000, given.sum(axis=0), atol=0.015)
    assert engine.tree(["a"]) is engine.tree(["b", "c"])


def test_refusals():
    with pytest.raises(ValueError, match="MarkovNetwork: do must be empty: the model has no arr"):
        MODEL.query("a", do={"b": 1})
    with pytest.raises(ValueError, match="MarkovNetwork: rows must be complete"):
        MODEL.log_potential({"a": 0})
