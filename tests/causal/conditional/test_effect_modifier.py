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
    with pytest.raises(ValueError, match="level must be between 0 and 1"):
        model.predict_interval({"x": [1.0]}, level=2)
