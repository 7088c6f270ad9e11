"""NOTEARS against known equations, other units, knowledge, gaps and weights."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.causal import NOTEARS, CausalGraph
from margin.causal.discovery.continuous._notears import open_notes, order_notes


def rows(n=600, seed=0):
    """Noise of variance one; the order of the columns is not that of the causes."""
    e = np.random.default_rng(seed).normal(size=(4, n))
    a = e[0]
    b = 0.8 * a + e[1]
    c = -0.7 * b + e[2]
    d = 0.6 * a + 0.7 * c + e[3]
    return pd.DataFrame({"d": d, "c": c, "b": b, "a": a})


ARROWS = {("a", "b"), ("b", "c"), ("a", "d"), ("c", "d")}


def test_equations_come_back():
    frame = rows(3000)
    model = NOTEARS().fit(frame)
    assert set(model.graph_.directed) == ARROWS
    assert model.order_ == ("a", "b", "c", "d")
    # least squares on the parents, entry [effect, cause]
    slope = np.linalg.lstsq(
        frame[["a", "c"]] - frame[["a", "c"]].mean(), frame["d"] - frame["d"].mean()
    )
    assert_allclose(model.adjacency_[0, [3, 1]], slope[0], rtol=1e-8)
    assert np.abs(model.adjacency_ - model.weights_).max() < 0.12
    assert list(model.feature_names_in_) == ["d", "c", "b", "a"]
    again = NOTEARS().fit(10 * frame)
    assert_allclose(again.adjacency_, model.adjacency_, atol=1e-6)


def test_free_noise_does_not_depend_on_units_and_says_what_is_open():
    frame = rows()
    one = NOTEARS(noise="free").fit(frame)
    two = NOTEARS(noise="free").fit(frame * [1.0, 20.0, 0.1, 3.0])
    assert one.graph_ == two.graph_
    chain = CausalGraph(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert "'a' - 'b', 'b' - 'c' open" in open_notes(chain)[0]
    assert open_notes(CausalGraph(["a", "b", "c"], [("a", "c"), ("b", "c")])) == ()
    assert order_notes(np.zeros((2, 2)), np.ones(2)) == ()


@pytest.mark.parametrize("noise", ["equal", "free"])
def test_knowledge_holds_whatever_the_data_say(noise):
    model = NOTEARS(noise=noise, required=[("d", "a")], forbidden=[("a", "b"), ("b", "a")])
    graph = model.fit(rows(300)).graph_
    assert ("d", "a") in graph.directed
    assert not {("a", "b"), ("b", "a")} & set(graph.directed)
    # what depends on each other stays joined: the required arc is no excuse
    assert {"b", "c"} in [set(arrow) for arrow in graph.directed]
    tiers = NOTEARS(noise=noise, tiers=[["d"], ["c"], ["b"], ["a"]]).fit(rows(300))
    assert tiers.order_ == ("d", "c", "b", "a")


def test_gaps_and_weights():
    frame, rng = rows(1500), np.random.default_rng(1)
    frame[rng.random(frame.shape) < 0.1] = np.nan
    assert set(NOTEARS().fit(frame).graph_.directed) == ARROWS
    few = rows(200)
    weight = rng.integers(0, 3, 200)
    weighted = NOTEARS().fit(few, sample_weight=weight)
    repeated = NOTEARS().fit(few.loc[few.index.repeat(weight)])
    assert_allclose(weighted.adjacency_, repeated.adjacency_, atol=1e-6)


def test_refusals_and_small_tables():
    for change, message in (
        ({"noise": "red"}, "noise must be one of"),
        ({"alpha": -1.0}, "alpha must be"),
        ({"required": [("a", "b"), ("b", "a")]}, "without a directed cycle"),
    ):
        with pytest.raises(ValueError, match=message):
            NOTEARS(**change).fit(rows(50))
    with pytest.raises(ValueError, match="column 'e' must be no combination"):
        NOTEARS().fit(rows(50).assign(e=lambda f: f.a + f.b))
    with pytest.raises(ValueError, match="column 'a' must be not constant"):
        NOTEARS().fit(rows(50).assign(a=1.0))
    assert NOTEARS().fit(rows(50)[["a"]]).graph_.directed == ()
    pairs = [(a, b) for a in "abcd" for b in "abcd" if a != b]
    assert NOTEARS(forbidden=pairs).fit(rows(50)).graph_.directed == ()
    with pytest.warns(match="stopped after max_iter=1 steps"):
        NOTEARS(max_iter=1, tol=1e-12).fit(rows(100))
