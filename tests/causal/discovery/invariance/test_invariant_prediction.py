"""Invariant causal prediction: coverage by simulation, verdicts, refusals."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

from margin.causal import InvariantCausalPrediction


def world(n, seed, strength=2.0, n_places=2):
    """x1 -> y <- x2, y -> x3; the places act on all but y."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(n_places), n)
    shift = rng.normal(size=(3, n_places)) * strength
    x1 = shift[0][place] + rng.normal(size=len(place))
    x2 = 0.5 * x1 + shift[1][place] + rng.normal(size=len(place)) * (1 + strength * place)
    y = x1 - x2 + rng.normal(size=len(place))
    x3 = y + 0.3 * x1 + shift[2][place] + rng.normal(size=len(place))
    return pd.DataFrame({"x1": x1, "x2": x2, "x3": x3, "y": y, "place": place})


@pytest.mark.parametrize("test", ["normal", "rank", "chow"])
def test_no_false_causes_and_intervals_that_cover(test):
    rounds = 120
    false = missed = outside = 0
    for seed in range(rounds):
        model = InvariantCausalPrediction("y", "place", test=test, alpha=0.1)
        model.fit(world(60, seed))
        false += "x3" in model.parents_
        missed += model.parents_ != ("x1", "x2")
        if model.intervals_ is None:
            outside += 1
            continue
        low, high = model.intervals_["x2"]
        outside += not low <= -1.0 <= high
    limit = 0.1 + 3 * np.sqrt(0.1 * 0.9 / rounds)
    assert false / rounds <= limit
    assert outside / rounds <= limit
    assert missed < rounds  # there is power


def test_strong_environments_find_all_causes():
    frame = world(400, 3, 4.0, n_places=3)
    model = InvariantCausalPrediction("y", "place").fit(frame)
    assert model.parents_ == ("x1", "x2")
    assert model.verdict_ == "direct causes found"
    assert set(model.accepted_) == {("x1", "x2")}
    assert model.p_values_["x1"] < 0.05 < model.p_values_["x3"]
    low, high = model.intervals_["x1"]
    assert 0.8 < low < 1.0 < high < 1.2
    assert model.intervals_["x3"] == (0.0, 0.0)
    other = clone(model).fit(pl.from_pandas(frame))
    assert other.accepted_ == model.accepted_


def test_equal_environments_determine_nothing():
    frame = world(200, 0)
    frame["place"] = np.random.default_rng(1).permutation(frame["place"])
    model = InvariantCausalPrediction("y", "place").fit(frame)
    assert model.parents_ == ()
    assert model.verdict_.startswith("no cause is determined")
    assert () in model.accepted_
    assert all(low <= 0 <= high for low, high in model.intervals_.values())


def test_an_environment_that_acts_on_the_outcome_is_said():
    frame = world(300, 1, 4.0)
    frame["y"] += 20 * frame["place"] * np.random.default_rng(0).normal(size=len(frame))
    model = InvariantCausalPrediction("y", "place", max_size=1).fit(frame)
    assert model.verdict_ == "no set of columns is invariant: the model is rejected"
    assert (model.parents_, model.accepted_, model.intervals_) == ((), {}, None)


def test_other_regressions():
    frame = world(200, 3, 4.0)
    plain = InvariantCausalPrediction("y", "place").fit(frame)
    line = InvariantCausalPrediction("y", "place", regressor=LinearRegression()).fit(frame)
    assert line.parents_ == plain.parents_
    assert line.intervals_ is None
    rng = np.random.default_rng(0)
    place = np.repeat([0, 1], 200)
    x = rng.normal(size=400) + 2 * place
    y = np.sin(2 * x) + 0.3 * rng.normal(size=400)
    bent = {"x": x, "y": y, "place": place, "z": y + place + 0.3 * rng.normal(size=400)}
    forest = RandomForestRegressor(30, min_samples_leaf=5, random_state=0)
    model = InvariantCausalPrediction("y", "place", test="rank", regressor=forest).fit(bent)
    assert "z" not in model.parents_


def test_many_candidates():
    rng = np.random.default_rng(4)
    frame = world(300, 3, 4.0)
    for at in range(20):
        frame[f"noise{at}"] = rng.normal(size=len(frame))
    named = InvariantCausalPrediction("y", "place", candidates=["x1", "x2"]).fit(frame)
    assert named.parents_ == ("x1", "x2")
    frame["x3"] = rng.normal(size=len(frame))  # with it the lasso does without x1
    model = InvariantCausalPrediction("y", "place", max_columns=4).fit(frame)
    assert len(model.candidates_) == 4
    assert {"x1", "x2"} < set(model.candidates_)
    assert model.parents_ == ("x1", "x2")


def test_rows_with_a_gap_are_left_out():
    rng = np.random.default_rng(8)
    place = np.repeat(["a", "b"], 60).astype(object)
    x = rng.normal(size=120) * np.where(place == "a", 1.0, 3.0)
    frame = pd.DataFrame(
        {"place": place, "x": x, "y": 2 * x + rng.normal(size=120), "other": np.nan}
    )
    frame.loc[:4, "x"], frame.loc[70:72, "place"] = np.nan, None
    model = InvariantCausalPrediction("y", "place", candidates=["x"]).fit(frame)
    whole = InvariantCausalPrediction("y", "place", candidates=["x"])
    whole.fit(frame.drop(columns="other").dropna())
    assert (model.parents_, model.n_gaps_, whole.n_gaps_) == (("x",), 8, 0)
    assert model.p_values_ == whole.p_values_
    with pytest.raises(ValueError, match="a table with rows that know every column, got 'none'"):
        InvariantCausalPrediction("y", "place").fit(frame)


def test_refusals():
    frame = world(30, 0)
    for options, words in (
        ({"outcome": None}, "outcome must be the name of a column"),
        ({"outcome": "w"}, "with a column 'w'"),
        ({"environment": "y"}, "another column than the outcome"),
        ({"candidates": ["x1", "y"]}, "different columns beside outcome and environment"),
        ({"candidates": []}, "at least one column"),
        ({"alpha": 1.5}, "alpha must be"),
        ({"max_columns": 20}, "max_columns must be at most 15, got 20"),
        ({"test": "chow", "regressor": LinearRegression()}, "'normal' or 'rank' with a regressor"),
    ):
        settings = {"outcome": "y", "environment": "place"} | options
        with pytest.raises(ValueError, match=words):
            InvariantCausalPrediction(**settings).fit(frame)
    model = InvariantCausalPrediction("y", "place")
    with pytest.raises(ValueError, match="environment must be a column of at least two values"):
        model.fit(frame.assign(place="here"))
    with pytest.raises(ValueError, match="seen in at least 3 rows each, got 'b'"):
        model.fit(frame.assign(place=["a"] * 58 + ["b"] * 2))
    with pytest.raises(ValueError, match="column 'x2' must be not constant"):
        model.fit(frame.assign(x2=1.0))
    with pytest.raises(ValueError, match="column 'x3' must be no combination of the columns"):
        model.fit(frame.assign(x3=frame["x1"] - frame["x2"]))
    with pytest.raises(ValueError, match="more rows than its 3 columns, got 3"):
        model.fit(frame.iloc[:3].assign(place=["a", "b", "a"]))
