"""Every engine has the same methods, and every model the same verb."""

import inspect

import numpy as np
import pytest

from margin.graphical import (
    BayesianNetwork,
    ConditionalGaussianCPD,
    LinearGaussianCPD,
    MarkovNetwork,
)
from margin.graphical.engines._engine import KINDS, Engine, Question

MODELS = {
    "discrete": BayesianNetwork.from_edges(
        [("a", "b")], {"a": [0.3, 0.7], "b": [[0.9, 0.1], [0.4, 0.6]]}
    ),
    "hybrid": BayesianNetwork.from_edges(
        [("a", "x")], {"a": [0.3, 0.7], "x": ConditionalGaussianCPD([0.0, 2.0], variance=1.0)}
    ),
    "gaussian": BayesianNetwork.from_edges(
        [("x", "y")], {"x": LinearGaussianCPD(1.0, variance=4.0), "y": LinearGaussianCPD(0, [2.0])}
    ),
    "factors": MarkovNetwork({("a", "b"): [[3.0, 1.0], [1.0, 3.0]]}),
}
each = pytest.mark.parametrize("name", MODELS)


def first(model):
    return model.graph.nodes[0]


@each
def test_an_engine_is_complete(name):
    engine = MODELS[name]._engine()
    assert isinstance(engine, Engine)
    target = first(MODELS[name])
    engine.query(Question(target))
    assert target in engine.marginals()
    drawn = engine.sample(5, None, np.random.default_rng(0))
    assert all(len(column) == 5 for column in drawn.values())
    assert np.isfinite(engine.log_prob({k: v[0] for k, v in drawn.items()}))
    with pytest.raises(TypeError, match="abstract"):
        Engine()


@each
def test_misspelt_options_are_refused(name):
    model = MODELS[name]
    assert not any(
        p.kind is inspect.Parameter.VAR_KEYWORD
        for p in inspect.signature(type(model).query).parameters.values()
    )
    with pytest.raises(TypeError, match="n_sample"):
        model.query(first(model), kind="sample", n_sample=3)
    with pytest.raises(TypeError, match="evidences"):
        model.query(first(model), evidences={})
    with pytest.raises(ValueError, match="kind must be one of"):
        model.query(first(model), kind="best")
    with pytest.raises(ValueError, match="n_samples must be an integer of at least 1, got 0"):
        model.query(first(model), kind="sample", n_samples=0)


@each
def test_kinds_that_all_models_answer(name):
    model = MODELS[name]
    target = first(model)
    assert model.query(target, kind="marginal").variables == (target,)
    drawn = model.query(target, kind="sample", n_samples=7, random_state=0)
    again = model.query(target, kind="sample", n_samples=7, random_state=0)
    assert drawn.values.shape == (7, 1)
    assert (drawn.values == again.values).all()
    assert set(KINDS) >= {"marginal", "map", "sample"}


@each
def test_evidence_is_no_target(name):
    """map_query({...}) used to ask for the keys and to forget the values."""
    model = MODELS[name]
    given = {first(model): 0}
    for ask in (model.query, model.map_query, model.explain_plan):
        with pytest.raises(ValueError, match=r"targets must be names of variables.*evidence="):
            ask(given)
