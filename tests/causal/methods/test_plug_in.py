import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom
from worlds import World, random_graph

from margin.causal import AverageEffect, CausalGraph, PlugIn, identify
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._plug_in import formula_columns

NAPKIN = "dag { w2 -> w1 -> x -> y w2 <-> x w2 <-> y }"


def napkin(n, rng):
    """The first cause acts on x and y through hidden ones; the effect is 2."""
    u, v = rng.random((2, n)) < 0.5
    w2 = rng.random(n) < 0.2 + 0.3 * u + 0.3 * v
    w1 = rng.random(n) < 0.3 + 0.4 * w2
    x = rng.random(n) < 0.15 + 0.4 * w1 + 0.35 * u
    return {"w2": w2, "w1": w1, "x": x, "y": 1 + 2 * x + 3 * v + rng.standard_normal(n)}


def rows_of(table, names, n, rng):
    cells = np.unravel_index(rng.choice(table.size, n, p=table.ravel()), table.shape)
    return dict(zip(names, cells, strict=True))


def scored(frame, graph, **more):
    found = identify(graph, "x", "y", **more)
    data = effect_data("A", frame, ("x",), "y", (), others=formula_columns(found))
    return PlugIn(found).scores(data, Nuisance()), data, found


def test_any_formula_against_enumeration():
    """causal.25: on a table of frequencies the estimate is the truth of random worlds"""
    rng, seen = np.random.default_rng(3), set()
    while len(seen) < 3 or rng.random() < 0.9:
        graph = random_graph(5, rng, arrows=0.5)
        names = graph.nodes
        a, b = names[0], names[-1]
        if a not in graph.ancestors(b) or not identify(graph, a, b, method="general").identifiable:
            continue
        found = identify(graph, a, b)
        seen.add(found.kind)
        world = World(graph, rng)
        joint = world.joint()
        cells = np.indices(joint.shape).reshape(len(names), -1)
        frame = dict(zip(names, cells, strict=True))
        data = effect_data(
            "A", frame, (a,), b, (), others=formula_columns(found), sample_weight=joint.ravel()
        )
        truth = world.effect([a], [b])[:, 1]
        assert_allclose(list(PlugIn(found).scores(data, Nuisance()).means.values()), truth)


def test_numbers_and_their_influence():
    """A row adds to the mean what moving its weight does, for numbers as for two values."""
    frame = napkin(300, np.random.default_rng(0))
    found, data, estimand = scored(frame, CausalGraph.from_dagitty(NAPKIN))
    assert_allclose(found.influence.mean(axis=0), 0, atol=1e-9)
    for row in (0, 5, 9):
        weight = np.ones(300)
        weight[row] += 1e-5
        near = PlugIn(estimand).scores(data.weighted(weight), Nuisance())
        assert_allclose(found.influence[row], (near.values - found.values) * 3e7, atol=2e-3)
    binned = {**frame, "y": frame["y"] > 2}
    two = scored(binned, CausalGraph.from_dagitty(NAPKIN))[0]
    table = identify(CausalGraph.from_dagitty(NAPKIN), "x", "y").evaluate(binned)
    assert_allclose(list(two.means.values()), table.values[:, 1])


@pytest.mark.parametrize("refit", [False, True])
def test_coverage(refit):
    """causal.25: intervals of the napkin, analytic and by fitting again"""
    rng, inside, times, found = np.random.default_rng(1), 0, 40 if refit else 150, []
    model = AverageEffect(NAPKIN, "x", "y", level=0.9, random_state=0)
    if refit:
        model.set_params(n_bootstrap=60, bootstrap="refit")
    for _ in range(times):
        model.fit(napkin(1000, rng))
        inside += model.interval_[0] <= 2 <= model.interval_[1]
        found.append(model.effect_)
    low, high = binom.ppf([0.0005, 0.9995], times, 0.9)
    assert low <= inside <= high
    assert abs(np.mean(found) - 2) < 4 * np.std(found) / np.sqrt(times)
    assert isinstance(model.method_, PlugIn)
    assert model.adjustment_ == ()
    assert "P(w2)" in repr(model.summary())


def test_back_and_front_doors_by_frequencies():
    """The same numbers as stratification and the cells of a front door."""
    rng = np.random.default_rng(4)
    z = rng.integers(0, 3, 400)
    x = rng.random(400) < 0.2 + 0.2 * z
    frame = {"z": z, "x": x, "y": z + x + rng.standard_normal(400)}
    graph = [("z", "x"), ("z", "y"), ("x", "y")]
    both = [
        AverageEffect(graph, "x", "y", method=m).fit(frame) for m in ("plugin", "stratification")
    ]
    assert_allclose(both[0].effect_, both[1].effect_)
    assert_allclose(both[0].std_error_, both[1].std_error_, rtol=1e-5)
    frame["m"] = rng.random(400) < 0.2 + 0.5 * x
    graph = "dag { x -> m -> y x <-> y }"
    both = [AverageEffect(graph, "x", "y", method=m).fit(frame) for m in ("plugin", "frontdoor")]
    assert_allclose(both[0].effect_, both[1].effect_)
    assert_allclose(both[0].std_error_, both[1].std_error_, rtol=1e-5)


def test_several_treatments_at_once():
    graph = CausalGraph.from_edges([("a", "b"), ("a", "y"), ("b", "y")])
    rng = np.random.default_rng(5)
    frame = rows_of(World(graph, rng).joint(), graph.nodes, 500, rng)
    model = AverageEffect(graph, ["a", "b"], "y", method="plugin").fit(frame)
    means = {
        k: frame["y"][(frame["a"] == k[0]) & (frame["b"] == k[1])].mean() for k in model.means_
    }
    assert_allclose(list(model.means_.values()), list(means.values()))


def test_what_is_refused():
    frame = napkin(60, np.random.default_rng(0))
    empty = {**frame, "w1": frame["x"]}
    model = AverageEffect(NAPKIN, "x", "y")
    with pytest.raises(ValueError, match=r"overlap must hold: .* got none with .*x = "):
        model.fit(empty)
    with pytest.raises(ValueError, match="column 'w2' must be of at most 20 levels"):
        model.fit({**frame, "w2": np.arange(60)})
    with pytest.raises(ValueError, match="column 'w2' must be known everywhere"):
        model.fit({**frame, "w2": [None] + ["a"] * 59})
    with pytest.raises(ValueError, match="target must be 'ate' for method 'plugin'"):
        AverageEffect(NAPKIN, "x", "y", target="att").fit(frame)
    with pytest.raises(ValueError, match="PlugIn: n_levels must be"):
        PlugIn(n_levels=0)
    with pytest.raises(ValueError, match="method must be 'auto' or 'plugin'"):
        AverageEffect(NAPKIN, "x", "y", method="regression").fit(frame)
