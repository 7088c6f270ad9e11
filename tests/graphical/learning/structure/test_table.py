"""Columns by kind: float columns used to become one category per value."""

import numpy as np
import pandas as pd
import pytest

from margin.graphical import (
    MMHC,
    TAN,
    ChowLiu,
    DirichletNetwork,
    ExactSearch,
    HillClimb,
    MarkovLearner,
    OrderMCMC,
    StructuralEM,
)
from margin.graphical.learning.structure._table import categories, read, starting_graph
from margin.graphs import DAG, cpdag
from margin.search import Categories, Knowledge, Moments


def test_read_by_model():
    assert isinstance(read("Test", [[1, 2]], "categorical"), Categories)
    assert isinstance(read("Test", [[1, 2], [2, 1]], "gaussian"), Moments)
    assert isinstance(read("Test", [[1, 2]], "auto"), Categories)
    assert isinstance(read("Test", [[0.0, 1.0], [1.0, np.nan]], "auto"), Categories)
    assert isinstance(read("Test", np.array([[0.5, 1.0], [1.0, 2.0]]), "auto"), Moments)
    assert isinstance(read("Test", np.array([[0.5, 1.0], [1.0, 2.0]]), "categorical"), Categories)


def test_starting_graphs():
    names, known = ("a", "b", "c"), Knowledge.none(3)
    arcs = starting_graph("Test", DAG(names, [("a", "b")]), names, known, 1)
    assert arcs.sum() == 1
    assert starting_graph("Test", None, names, known, 1) is None
    with pytest.raises(ValueError, match="start must be a graph of at most 1 parents"):
        starting_graph("Test", [("a", "c"), ("b", "c")], names, known, 1)
    barred = Knowledge.of("Test", names, forbidden=[("a", "b")])
    with pytest.raises(ValueError, match="start must be without forbidden arcs"):
        starting_graph("Test", [("a", "b")], names, barred, None)


def linear_frame(n=600, seed=0):
    """x -> z <- y, z -> w, linear with noise."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, n))
    z = x + y + 0.5 * rng.standard_normal(n)
    return pd.DataFrame({"x": x, "y": y, "z": z, "w": 2 * z + rng.standard_normal(n)})


@pytest.mark.parametrize("model", [HillClimb(), ExactSearch(), MMHC()], ids=lambda m: m._name)
def test_columns_of_numbers_are_gaussian(model):
    """The structure of a linear model with noise, found on the columns as they are."""
    frame = linear_frame()
    graph = model.fit(frame).graph_
    truth = DAG(graph.nodes, [("x", "z"), ("y", "z"), ("z", "w")])
    # A greedy walk may direct the first arcs wrongly; the joined pairs are plain.
    assert {frozenset(e) for e in truth.edges} <= {frozenset(e) for e in graph.edges}
    if isinstance(model, ExactSearch):
        assert cpdag(graph) == cpdag(truth)
    told = type(model)(model="gaussian").fit(frame)
    assert model.score_ == told.score_
    array = type(model)().fit(frame.to_numpy())
    assert array.score_ == pytest.approx(told.score_)


@pytest.mark.parametrize("model", [HillClimb(), ExactSearch(), MMHC()], ids=lambda m: m._name)
def test_mixed_columns_and_wrong_scores_are_refused_by_name(model):
    mixed = linear_frame(20).assign(k=["a", "b"] * 10)
    message = f"{model._name}: X must be all categories or all numbers.*numbers in 'x'.*'k'"
    with pytest.raises(ValueError, match=message):
        model.fit(mixed)
    with pytest.raises(ValueError, match=f"{model._name}: score must be 'bic' or 'aic'"):
        type(model)(score="bdeu").fit(linear_frame(20))
    with pytest.raises(ValueError, match=f"{model._name}: model must be one of 'auto'"):
        type(model)(model="normal").fit(mixed)


@pytest.mark.parametrize(
    "model",
    [StructuralEM(), OrderMCMC(), ChowLiu(), TAN(), MarkovLearner(), DirichletNetwork()],
    ids=lambda m: type(m).__name__,
)
def test_numbers_are_refused_where_only_categories_are_supported(model):
    name = type(model).__name__
    message = rf"{name}: X must be categories \(bin numbers, or.*numbers in 'x', 'y', 'z', 'w'"
    with pytest.raises(ValueError, match=message):
        model.fit(linear_frame(20))


def test_given_states_and_categorical_types_are_believed():
    doses = pd.DataFrame({"dose": [0.5, 1.5, 0.5]})
    assert DirichletNetwork().fit(doses, states={"dose": [0.5, 1.5]}).states_["dose"] == (0.5, 1.5)
    assert categories("Test", doses.astype("category")).states == ((0.5, 1.5),)
