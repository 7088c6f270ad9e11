import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import FiniteSEM, network_effects
from margin.causal.models._finite_sem import _worlds

GRAPHS = {
    "common cause": {"z": (), "x": (), "m": ("z", "x"), "y": ("z", "x", "m")},
    "confounded treatment": {"z": (), "x": ("z",), "m": ("z", "x"), "y": ("z", "x", "m")},
    "a step before": {"x": (), "v": ("x",), "z": (), "m": ("v", "z"), "y": ("z", "x", "m")},
    "a step beside": {"x": (), "m": ("x",), "v": ("x", "m"), "y": ("v", "m")},
    "two": {"x": (), "m": ("x",), "v": ("m",), "n": ("v", "x"), "y": ("x", "v", "m", "n")},
}


def random_sem(parents, rng, noises=3):
    return FiniteSEM(
        parents,
        {n: rng.integers(0, 2, (2,) * len(above) + (noises,)) for n, above in parents.items()},
        {n: rng.dirichlet(np.ones(noises)) for n in parents},
    )


def nested(sem, held, direct, through):
    """P(y = 1) where x is direct and mediators are as under through, by all states of noise."""
    noise, weight = _worlds(sem.noise)
    there = sem.intervened({"x": through})._solved({**noise, "x": 0 * noise["x"]})
    values = {}
    for n in sem.names:
        if n == "x":
            values[n] = np.full(len(weight), direct)
        elif n in held:
            values[n] = there[n]
        else:
            values[n] = sem.functions[n][(*(values[p] for p in sem.parents[n]), noise[n])]
    return weight @ (values["y"] == 1)


@pytest.mark.parametrize("name", GRAPHS)
def test_natural_effects_are_those_of_enumerated_counterfactuals(name):
    """causal.08: whatever the mechanisms behind the network are"""
    rng = np.random.default_rng(0)
    held = ["m", "n"] if name == "two" else ["m"]
    for _ in range(10):
        sem = random_sem(GRAPHS[name], rng)
        found = network_effects(
            sem.network(), "x", "y", levels=(0, 1), success=1, mediators=held
        )  # fmt: skip
        before = nested(sem, held, 0, 0)
        assert_allclose(found["total"], nested(sem, held, 1, 1) - before, atol=1e-12)
        assert_allclose(found["natural_direct"], nested(sem, held, 1, 0) - before, atol=1e-12)
        assert_allclose(found["natural_indirect"], nested(sem, held, 0, 1) - before, atol=1e-12)


def test_a_witness_of_both_levels_is_refused_and_models_of_one_network_do_differ():
    parents = {"x": (), "w": ("x",), "m": ("w", "x"), "y": ("w", "m", "x")}
    coin, three = np.array([0.5, 0.5]), np.array([[0, 1], [0, 1]])
    follows, turns = three, np.array([[0, 1], [1, 0]])
    same = np.array([[[0], [0]], [[1], [1]]])
    either = np.array([[[[0], [0]], [[0], [0]]], [[[0], [0]], [[1], [1]]]])
    models = [
        FiniteSEM(
            parents,
            {"x": np.array([0, 1]), "w": w, "m": same, "y": either},
            {"x": coin, "w": coin, "m": np.ones(1), "y": np.ones(1)},
        )
        for w in (follows, turns)
    ]
    tables = [sem.network().query(list(parents)).values for sem in models]
    assert_allclose(tables[0], tables[1])
    assert [nested(sem, ["m"], 1, 0) for sem in models] == [0.5, 0.0]
    network = models[0].network()
    asked = {"levels": (0, 1), "success": 1, "mediators": "m"}
    with pytest.raises(ValueError, match=r"natural effects are not identifiable .* got 'w'"):
        network_effects(network, "x", "y", **asked)
    assert set(network_effects(network, "x", "y", natural=False, **asked)) == {
        "total", "controlled",
    }  # fmt: skip
    assert "natural_direct" in network_effects(network, "x", "y", **{**asked, "mediators": ["w"]})
    with pytest.raises(ValueError, match="mediators must be no effects of the outcome"):
        network_effects(network, "x", "m", levels=(0, 1), success=1, mediators="y")
