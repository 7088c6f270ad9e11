"""Bayesian networks as a user meets them (graphical.01)."""

import pickle

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from margin.graphical import BayesianNetwork, TableCPD
from margin.graphs import DAG


def test_disconnected_parts_and_single_states():
    """graphical.01: nodes without arrows and variables with one state are fine."""
    network = BayesianNetwork.from_edges(
        [("a", "b")], {"a": [1.0], "b": [[0.3, 0.7]], "c": [0.5, 0.5]}
    )
    assert_allclose(network.marginals({"c": 1})["b"], [0.3, 0.7])
    assert network.map_query() == {"a": 0, "b": 1, "c": 0}
    assert network.log_prob({"a": 0, "b": 1, "c": 0}) == pytest.approx(np.log(0.35))


def test_graph_and_networkx(burglary):
    assert isinstance(burglary.graph, DAG)
    graph = burglary.to_networkx()
    again = BayesianNetwork.from_networkx(graph)
    assert again.states == burglary.states
    assert_allclose(again.marginals()["alarm"], burglary.marginals()["alarm"])
    bare = BayesianNetwork.from_networkx(nx.DiGraph([("a", "b")]), {"a": [1.0], "b": [[1.0]]})
    assert bare.graph.edges == (("a", "b"),)


def test_structure_from_a_dag_keeps_lonely_nodes():
    network = BayesianNetwork(DAG(["a", "b"], []))
    network.fit(pd.DataFrame({"a": [0, 1], "b": [1, 1]}))
    assert network.states == {"a": (0, 1), "b": (1,)}


def test_estimator_contract(burglary):
    frame = burglary.sample(300, random_state=0)
    model = BayesianNetwork(burglary.graph.edges, states=burglary.states, alpha=1.0)
    assert clone(model).get_params()["alpha"] == 1.0
    fitted = model.fit(frame)
    assert fitted is model
    copy = pickle.loads(pickle.dumps(fitted))
    assert_allclose(copy.log_prob(frame), fitted.log_prob(frame))
    assert_allclose(
        pickle.loads(pickle.dumps(burglary)).marginals()["alarm"], burglary.marginals()["alarm"]
    )
    search = GridSearchCV(model, {"alpha": [0.1, 1.0]}, cv=3).fit(frame)
    assert search.best_params_["alpha"] in (0.1, 1.0)


def test_failed_fit_leaves_the_old_model(burglary):
    frame = burglary.sample(50, random_state=0)
    model = BayesianNetwork(burglary.graph.edges, states=burglary.states, alpha=1.0).fit(frame)
    before = model.table("alarm")
    with pytest.raises(ValueError, match="columns must be different nodes"):
        model.fit(frame.assign(z=1))
    assert model.table("alarm") is before
    with pytest.raises(ValueError, match="alpha must be a number of at least 0, got -1"):
        BayesianNetwork([("a", "b")], alpha=-1).fit(frame)


def test_refit_forgets_old_answers(burglary):
    model = BayesianNetwork([("a", "b")], alpha=1.0)
    first = model.fit(pd.DataFrame({"a": [0, 1], "b": [0, 1]})).query("b", {"a": 1}).values
    second = model.fit(pd.DataFrame({"a": [0, 1], "b": [1, 0]})).query("b", {"a": 1}).values
    assert_allclose(first, second[::-1])


def test_threads_do_not_change_answers(make_network):
    network = make_network(np.random.default_rng(2), n=8, cards=(2, 3))
    frame = network.sample(100, random_state=0).iloc[:, :3]
    target = network.variables[5]
    one = BayesianNetwork(network.edges, network.cpds, states=network.states, n_jobs=1)
    two = BayesianNetwork(network.edges, network.cpds, states=network.states, n_jobs=2)
    assert np.array_equal(one.query(target, frame).values, two.query(target, frame).values)


def test_structure_first_tables_later():
    unfitted = BayesianNetwork.from_edges([("a", "b")])
    with pytest.raises(ValueError, match="states of 'a' must be known"):
        unfitted.n_parameters  # noqa: B018
    fitted = unfitted.fit(pd.DataFrame({"a": [0, 1, 1], "b": ["x", "y", "y"]}))
    assert fitted.n_parameters == 3
    assert fitted.map_query("b", {"a": 1}) == {"b": "y"}


def test_repr_is_short(burglary):
    assert repr(burglary) == "BayesianNetwork(3 nodes, 2 edges, 6 parameters)"
    assert burglary._repr_mimebundle_() == {"text/plain": repr(burglary)}
    unfitted = BayesianNetwork.from_edges([("a", "b")])
    assert repr(unfitted) == "BayesianNetwork(2 nodes, 1 edges, not fitted yet)"
    assert repr(BayesianNetwork(alpha=2.0)) == "BayesianNetwork(alpha=2.0)"


def test_parts_are_reachable(burglary):
    assert isinstance(burglary.cpd("alarm"), TableCPD)
    assert burglary.table("alarm").shape == (2, 2, 2)
    with pytest.raises(ValueError, match="node must be in the network, got 'z'"):
        burglary.cpd("z")
    with pytest.raises(ValueError, match="cpds must be given, or learned by fit, got None"):
        BayesianNetwork([("a", "b")]).query("a")


def test_factors_for_other_engines(burglary):
    model = burglary.factor_model()
    assert model.cardinalities == (2, 2, 2)
    joint = np.ones((2, 2, 2))
    for scope, table in zip(model.scopes, model.tables, strict=True):
        shape = [2 if v in scope else 1 for v in range(3)]
        joint = joint * np.transpose(table, np.argsort(scope)).reshape(shape)
    assert_allclose(joint, burglary.query(burglary.variables).values)


def test_engines_are_reused_and_bounded(burglary):
    tree = burglary._engine().tree(["alarm"])
    assert burglary._engine().tree(["alarm"]) is tree
    assert burglary._engine().tree(["burglary"]) is not tree
    wide = BayesianNetwork.from_edges([], {f"v{i}": [0.5, 0.5] for i in range(40)})
    for i in range(40):
        wide.query(f"v{i}")
    assert len(wide._engine().trees) <= 16


def test_states_is_one_word():
    """Given states are a parameter; known ones are an attribute of every joint model."""
    given = {"a": ["no", "yes"], "b": ["lo", "hi"]}
    network = BayesianNetwork([("a", "b")], states=given)
    assert network.states is given
    copy = clone(network)
    assert copy.get_params()["states"] == given
    network.set_params(alpha=1.0).fit(pd.DataFrame({"a": ["no", "yes"], "b": ["hi", "lo"]}))
    assert network.states == {"a": ("no", "yes"), "b": ("lo", "hi")}
    assert network.get_params()["states"] is given
    assert clone(network).states == given
    assert BayesianNetwork([], {"a": [0.5, 0.5]}).states == {"a": (0, 1)}
    assert BayesianNetwork([("a", "b")]).states is None
    with pytest.raises(TypeError, match="state_names"):
        BayesianNetwork([("a", "b")], state_names=given)


def test_attributes_can_be_listed_before_there_is_a_model():
    assert {"fit", "query", "sample"} <= set(dir(BayesianNetwork()))
    assert "query" in dir(BayesianNetwork([("a", "b")]))
