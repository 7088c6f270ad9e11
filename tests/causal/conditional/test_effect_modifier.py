import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor

from margin.causal import CausalForest, EffectModifier


def world(n, rng):
    x, z = rng.standard_normal((2, n))
    t = (rng.random(n) < 1 / (1 + np.exp(-x - z))).astype(int)
    group = np.array(["a", "b"])[rng.integers(0, 2, n)]
    y = x + z + (1 + x + 2 * (group == "b")) * t + rng.standard_normal(n)
    return {"x": x, "z": z, "group": group, "t": t, "y": y}


NEW = {"x": [0.0, 1.0], "group": ["a", "b"]}


@pytest.mark.parametrize("method", ["dr", "r", "t", "s", "x"])
def test_modifiers_of_numbers_and_words(method):
    frame = world(5000, np.random.default_rng(0))
    model = EffectModifier(
        None, "t", "y", ["x", "z"], ["x", "group"], method, n_bootstrap=20, random_state=0
    )
    if method in ("dr", "r"):
        model.set_params(n_bootstrap=0)
    model.fit(frame)
    assert_allclose(model.predict(NEW), [1, 4], atol=0.4)
    held = model.predict_interval(NEW)
    assert (held[:, 0] < model.predict(NEW)).all()
    assert (model.predict(NEW) < held[:, 1]).all()
    assert set(model.coef_) == {"x", "group=b"}
    assert_allclose(model.average_, 2, atol=0.3)
    again = pickle.loads(pickle.dumps(model))
    assert_allclose(again.predict(NEW), model.predict(NEW))


@pytest.mark.parametrize("method", ["dr", "r"])
def test_intervals_cover(method):
    rng, inside = np.random.default_rng(1), 0
    model = EffectModifier(None, "t", "y", ["x", "z"], ["x", "group"], method, level=0.9)
    for _ in range(60):
        low, high = model.set_params(random_state=0).fit(world(500, rng)).predict_interval(NEW)[1]
        inside += low <= 4 <= high
    assert inside >= binom.ppf(0.001, 60, 0.9)


def test_forests_and_other_final_models():
    frame = world(2000, np.random.default_rng(2))
    forest = EffectModifier(None, "t", "y", ["x", "z"], ["x", "group"], CausalForest(40)).fit(frame)
    assert_allclose(forest.predict(NEW), [1, 4], atol=0.9)
    assert forest.predict_interval(NEW).shape == (2, 2)
    assert forest.coef_ is None
    trees = RandomForestRegressor(30, min_samples_leaf=50, random_state=0)
    other = EffectModifier(None, "t", "y", ["x", "z"], ["x", "group"], final_model=trees)
    assert_allclose(other.fit(frame).predict(NEW), [1, 4], atol=0.9)
    with pytest.raises(ValueError, match="n_bootstrap must be above 0 for intervals"):
        other.predict_interval(NEW)


def test_continuous_treatments_and_graphs():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(3000)
    dose = x + rng.standard_normal(3000)
    frame = {"x": x, "dose": dose, "y": x + (2 - x) * dose + rng.standard_normal(3000)}
    graph = [("x", "dose"), ("x", "y"), ("dose", "y")]
    model = EffectModifier(graph, "dose", "y", method="r").fit(frame)
    assert_allclose(model.predict({"x": [0.0, 1.0]}), [2, 1], atol=0.15)


def test_what_is_refused():
    frame = world(100, np.random.default_rng(0))
    for change, message in (
        ({"method": "magic"}, "method must be one of"),
        ({"adjustment": []}, "modifiers must be at least one column"),
        ({"graph": "dag { t -> m -> y t <-> y }", "adjustment": None}, "effect by adjustment"),
        ({"n_bootstrap": -1}, "n_bootstrap must be"),
    ):
        given = {"treatment": "t", "outcome": "y", "adjustment": ["x"], **change}
        with pytest.raises(ValueError, match=message):
            EffectModifier(**given).fit(frame)
    model = EffectModifier(None, "t", "y", ["x"]).fit(frame)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(ValueError, match="level must be a number between 0 and 1"):
        model.predict_interval({"x": [1.0]}, level=2)


def linear(n, rng):
    x, z = rng.standard_normal((2, n))
    t = (rng.random(n) < 1 / (1 + np.exp(-0.7 * x))).astype(int)
    return {"x": x, "z": z, "t": t, "y": x + z + (1 + x) * t + rng.standard_normal(n)}


@pytest.mark.parametrize("method", ["dr", "r", "s", "t", "x"])
def test_intervals_of_averages_and_of_people(method):
    """Coverage of both, of errors that are known and of bootstraps."""
    rng, times = np.random.default_rng(4), {"dr": 150, "r": 150, "x": 20}.get(method, 60)
    boot = {"dr": 0, "r": 0, "x": 30}.get(method, 60)
    model = EffectModifier(None, "t", "y", ["x", "z"], ["x"], method, level=0.9, n_bootstrap=boot)
    inside = np.zeros(2)
    for _ in range(times):
        model.set_params(random_state=0, n_folds=2).fit(linear(300, rng))
        held = np.array([model.interval_, model.predict_interval({"x": [1.0]})[0]])
        inside += (held[:, 0] <= [1, 2]) & (held[:, 1] >= [1, 2])
    low, high = binom.ppf([0.0002, 0.9998], times, 0.9)
    assert (low <= inside).all()
    assert (inside <= high).all()


def test_several_levels_in_one_answer():
    rng = np.random.default_rng(5)
    frame = linear(3000, rng)
    frame["t"] = np.array(["a", "b", "c"])[frame["t"] + (rng.random(3000) < 0.3)]
    frame["y"] = frame["x"] + (1 + frame["x"]) * (frame["t"] == "b") + 3.0 * (frame["t"] == "c")
    frame["y"] = frame["y"] + rng.standard_normal(3000)
    model = EffectModifier(None, "t", "y", ["x", "z"], ["x"], random_state=0).fit(frame)
    assert model.contrasts_ == ("b - a", "c - a")
    assert_allclose(model.predict({"x": [0.0, 1.0]}), [[1, 3], [2, 3]], atol=0.3)
    assert model.predict_interval({"x": [0.0, 1.0]}).shape == (2, 2, 2)
    assert_allclose(model.average_, [1, 3], atol=0.25)
    assert model.interval_.shape == (2, 2)
    assert (model.coef_[0]["x"], len(model.intercept_)) == (pytest.approx(1, abs=0.3), 2)
    shown = repr(model.summary())
    assert "b - a" in shown
    assert "average of conditional effects (DR-learner), 3000 rows" in shown
    both = EffectModifier(None, ["t", "g"], "y", ["x"], random_state=0)
    both.fit({**frame, "g": rng.integers(0, 2, 3000)})
    assert len(both.contrasts_) == 5


@pytest.mark.parametrize("method", ["dr", "forest"])
def test_refuters_of_the_average(method):
    frame = linear(500, np.random.default_rng(6))
    learner = CausalForest(8) if method == "forest" else method
    model = EffectModifier(None, "t", "y", ["x", "z"], ["x"], learner, random_state=0).fit(frame)
    found = {r.kind: r for r in model.refute(n_repeats=8)}
    assert abs(found["placebo"].refuted_effect) < 0.25
    assert abs(found["random_cause"].refuted_effect - model.average_) < 0.2
    assert abs(found["subset"].refuted_effect - model.average_) < 0.3
    assert found["placebo"].passed
    if method == "forest":
        with pytest.raises(ValueError, match="n_bootstrap must be above 0 for a summary"):
            model.summary()


def test_modifiers_that_would_change_the_effect():
    """Neither effects of the treatment nor what opens a back door."""
    frame = linear(200, np.random.default_rng(7))
    frame |= {"late": frame["t"] + frame["x"], "c": frame["z"]}
    graph = "dag { x -> {t y} t -> {y late} t <-> c c <-> y }"
    EffectModifier(graph, "t", "y", modifiers=["x"]).fit(frame)
    for name, message in (("late", "the treatment does not move"), ("c", "may be adjusted for")):
        with pytest.raises(ValueError, match=f"modifiers must be columns that {message}"):
            EffectModifier(graph, "t", "y", modifiers=["x", name]).fit(frame)
    with pytest.raises(ValueError, match="modifiers must be nodes of the graph"):
        EffectModifier(graph, "t", "y", modifiers=["x", "z"]).fit(frame)
    with pytest.raises(ValueError, match="modifiers must be without treatment and outcome"):
        EffectModifier(None, "t", "y", ["x"], ["y"]).fit(frame)


@pytest.mark.parametrize("method", ["s", "t"])
def test_no_overlap_is_said(method):
    x = np.random.default_rng(8).standard_normal(200)
    frame = {"x": x, "t": (x > 0).astype(int), "y": x}
    with pytest.warns(UserWarning, match="EffectModifier: overlap does not hold"):
        EffectModifier(None, "t", "y", ["x"], method=method).fit(frame)


def test_rows_of_no_weight_need_not_be_known():
    frame = linear(300, np.random.default_rng(9))
    weight = np.r_[0.0, np.ones(299)]
    holes = {k: np.r_[np.nan, v[1:]] for k, v in frame.items()}
    model = EffectModifier(None, "t", "y", ["x", "z"], ["x"], "t")
    found = clone(model).fit(holes, sample_weight=weight)
    wanted = clone(model).fit({k: v[1:] for k, v in frame.items()})
    assert_allclose(found.average_, wanted.average_)
