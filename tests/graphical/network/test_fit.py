"""Fitting a network to a frame."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose

from margin.datasets import load_berkeley
from margin.graphical import BayesianNetwork


def test_berkeley_tables_are_the_observed_frequencies():
    """graphical.17"""
    data = load_berkeley(as_frame=True)
    frame = data.frame if data.frame is not None else data.data.assign(admitted=data.target)
    network = BayesianNetwork(data.edges, states=data.states).fit(frame)
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
    network = BayesianNetwork([], states={"a": ["lo", "mid", "hi"]}, alpha=1.0).fit(frame)
    assert_allclose(network.table("a"), [0.4, 0.2, 0.4])


def test_absent_column_is_latent():
    frame = pd.DataFrame({"x": [0, 1, 1, 0], "y": [0, 1, 1, 0]})
    model = BayesianNetwork([("h", "x"), ("h", "y")], states={"h": [0, 1]})
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
        BayesianNetwork([], states={"a": ["x"]}).fit(pd.DataFrame({"a": ["y"]}))


def test_columns_of_numbers_are_regressions():
    """A float column used to be a category: a state per value, tens of thousands of parameters."""
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, 400)
    x = g + 0.5 * rng.standard_normal(400)
    y = 2.0 * x + rng.standard_normal(400)
    frame = pd.DataFrame({"g": g, "x": x, "y": y})
    network = BayesianNetwork([("g", "x"), ("x", "y")]).fit(frame)
    assert network.variables == ("g",)
    assert network.n_parameters == 1 + 2 * 2 + 3
    slope, intercept = np.polyfit(x, y, 1)
    assert_allclose(network.cpd("y").coef, [slope], rtol=1e-9)
    assert_allclose(network.cpd("y").intercept, intercept, rtol=1e-9)
    assert_allclose(network.cpd("x").intercept, [x[g == 0].mean(), x[g == 1].mean()])
    told = BayesianNetwork([("g", "x"), ("x", "y")], continuous=["x", "y"]).fit(frame)
    assert_allclose(network.log_prob(frame), told.log_prob(frame), rtol=1e-14)
    with pytest.raises(ValueError, match="parents of the discrete node 'g' must be discrete, got"):
        BayesianNetwork([("x", "g")]).fit(frame[["g", "x"]])


def test_whole_numbers_and_given_states_stay_categories():
    gaps = pd.DataFrame({"a": [0.0, 1.0, np.nan, 1.0]})
    assert BayesianNetwork([("a", "b")], states={"b": [0, 1]}).fit(gaps).states["a"] == (0, 1)
    doses = pd.DataFrame({"a": [0.5, 1.5, 0.5]})
    network = BayesianNetwork([], states={"a": [0.5, 1.5]}).fit(doses)
    assert_allclose(network.marginals()["a"], [2 / 3, 1 / 3])
