"""Fitting a network to a frame."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

from margin.datasets import load_berkeley
from margin.graphical import BayesianNetwork
from margin.graphical.formats._uai import ParsedFactors
from margin.graphical.network._fit import Arrows, directed


def test_berkeley_tables_are_the_observed_frequencies():
    """graphical.17"""
    data = load_berkeley(as_frame=True)
    frame = data.frame if data.frame is not None else data.data.assign(admitted=data.target)
    network = BayesianNetwork(data.edges, state_names=data.states).fit(frame)
    for name in data.nodes:
        assert_allclose(network.table(name), data.cpts[name], rtol=1e-12)
    for text, query in data.queries.items():
        found = network.query(list(query["targets"]), query["evidence"], do=query["do"] or None)
        assert_allclose(found.probability(**query["targets"]), float(data.answers[text]))


@pytest.mark.parametrize("library", [pd, pl])
def test_states_are_learned_in_order(library):
    frame = library.DataFrame({"a": ["y", "x", "y", None], "b": [2, 0, 1, 1]})
    network = BayesianNetwork([("a", "b")], alpha=1.0).fit(frame)
    assert network.states == {"a": ("x", "y"), "b": (0, 1, 2)}
    assert network.fit_report_.status.ok


def test_given_states_are_kept():
    frame = pd.DataFrame({"a": ["lo", "hi"]})
    network = BayesianNetwork([], state_names={"a": ["lo", "mid", "hi"]}, alpha=1.0).fit(frame)
    assert_allclose(network.table("a"), [0.4, 0.2, 0.4])


def test_absent_column_is_latent():
    frame = pd.DataFrame({"x": [0, 1, 1, 0], "y": [0, 1, 1, 0]})
    model = BayesianNetwork([("h", "x"), ("h", "y")], state_names={"h": [0, 1]})
    assert model.fit(frame).score(frame) > -0.75
    with pytest.raises(ValueError, match="states of the latent node 'h' must be given"):
        BayesianNetwork([("h", "x"), ("h", "y")]).fit(frame)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (np.zeros((2, 2)), "frame must be a data frame, got 'ndarray'"),
        (pd.DataFrame({"a": ["x"], "z": [1]}), "columns must be different nodes"),
        (pd.DataFrame([["x", "x"]], columns=["a", "a"]), "columns must be different nodes"),
        (pd.DataFrame({"a": [], "b": []}), "of at least one row"),
        (pd.DataFrame({"a": ["x"], "b": [None]}), "column 'b' must be observed somewhere"),
    ],
)
def test_refusals(frame, message):
    with pytest.raises(ValueError, match=f"BayesianNetwork: .*{message}"):
        BayesianNetwork([("a", "b")]).fit(frame)


def test_bad_weights_and_numbers_are_refused():
    frame = pd.DataFrame({"a": ["x", "y"], "b": [0.5, np.inf]})
    with pytest.raises(ValueError, match="column 'b' must be finite or NaN"):
        BayesianNetwork([("a", "b")], continuous=["b"]).fit(frame)
    with pytest.raises(ValueError, match="column 'a' must be numbers"):
        BayesianNetwork([("b", "a")], continuous=["a", "b"]).fit(frame.iloc[:1])
    with pytest.raises(ValueError, match="sample_weight must be of length 2"):
        BayesianNetwork([("a", "b")]).fit(frame, sample_weight=[1.0])


def test_unknown_state_in_the_data_is_refused():
    with pytest.raises(ValueError, match="state of 'a' must be one of 'x', got 'y'"):
        BayesianNetwork([], state_names={"a": ["x"]}).fit(pd.DataFrame({"a": ["y"]}))


def test_directed_reading_of_factors():
    parsed = ParsedFactors("BAYES", (2, 2), ((0, 1), (0,)), (np.eye(2), np.array([0.5, 0.5])))
    network = directed(parsed)
    assert network.parents == {"x0": (), "x1": ("x0",)}
    assert Arrows(("a",), ()).nodes == ("a",)
