import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import (
    CausalGraph,
    Conditional,
    Hard,
    Shift,
    Stochastic,
    has_causal_effect,
    intervened,
    is_true_causal_graph,
    network_effects,
)
from margin.datasets import load_berkeley, load_kidney_stones, load_smoking


def test_hard_stochastic_and_parametric_interventions():
    """causal.05, causal.06: against sums of the truncated product by hand"""
    stones = load_kidney_stones()
    joint = stones.network.query(["size", "treatment", "recovered"])
    order = [joint.variables.index(n) for n in ("size", "treatment", "recovered")]
    table = np.asarray(joint.values).transpose(order)
    size = table.sum(axis=(1, 2))
    cured = table / table.sum(axis=2, keepdims=True)
    law = np.array([[0.9, 0.1], [0.2, 0.8]])
    truth = np.einsum("s,st,str->r", size, law, cured)
    kept = intervened(stones.network, {"treatment": law})
    assert_allclose(np.asarray(kept.query("recovered").values), truth)
    told = kept.query("size", {"treatment": "A"}).values
    assert_allclose(told, size * law[:, 0] / (size @ law[:, 0]))
    coin = intervened(stones.network, {"treatment": [0.3, 0.7]})
    mixed = np.einsum("s,t,str->r", size, [0.3, 0.7], cured)
    assert_allclose(np.asarray(coin.query("recovered").values), mixed)
    both = intervened(stones.network, {"treatment": "A", "size": "big"})
    assert_allclose(np.asarray(both.query("recovered").values)[1], 192 / 263)
    for bad in ({"treatment": "C"}, {"treatment": [1.0]}, {"treatment": [0.5, 0.6]}, {"q": 1}):
        with pytest.raises(ValueError, match="intervened: do"):
            intervened(stones.network, bad)


def test_plans_and_laws_by_name():
    """causal.05: conditional interventions, with other arrows than the network had"""
    network = load_kidney_stones().network
    law = {"big": {"A": 1.0}, "small": {"A": 0.25, "B": 0.75}}
    table = np.array([[law[s].get(t, 0.0) for t in network.states["treatment"]]
                      for s in network.states["size"]])  # fmt: skip
    kept = intervened(network, {"treatment": table}).query("recovered")
    plan = Conditional(lambda size: "A" if size == "big" else law["small"], ("size",))
    ruled = intervened(network, {"treatment": plan}).query("recovered")
    assert_allclose(np.asarray(ruled.values), np.asarray(kept.values))
    coin = intervened(network, {"treatment": Stochastic({"B": 0.7, "A": 0.3})})
    assert coin.edges == intervened(network, {"treatment": Hard("A")}).edges
    assert_allclose(np.asarray(coin.query("treatment").values), [0.3, 0.7])
    # a new arrow, against the law of total probability
    back = Conditional(lambda t: "big", "treatment")
    turned = intervened(network, {"treatment": "A", "size": back})
    assert ("treatment", "size") in turned.edges
    assert_allclose(np.asarray(turned.query("recovered").values)[1], 192 / 263)
    for bad in (
        {"treatment": Conditional(lambda r: "A", ("recovered",))},
        {"treatment": Conditional(lambda s: "A", ("q",))},
        {"treatment": Conditional(lambda s: "C", ("size",))},
        {"treatment": {"C": 1.0}},
        {"treatment": Shift(1.0)},
    ):
        with pytest.raises(ValueError, match=r"intervened: |cycle"):
            intervened(network, bad)


def test_total_effects_as_a_predicate():
    """causal.07: paths in the graph, laws in the network"""
    for model in ("direct", "gene", "both"):
        smoking = load_smoking(model)
        graph = CausalGraph.from_edges(smoking.edges)
        effect = smoking.effect != 0
        assert has_causal_effect(graph, "smoking", "cancer") == effect
        assert has_causal_effect(smoking.network, "smoking", "cancer") == effect
        assert not has_causal_effect(smoking.network, "cancer", "smoking")


def test_direct_and_total_effects_at_berkeley():
    """causal.08: a large total effect against women, a small direct one for them"""
    data = load_berkeley()
    found = network_effects(
        data.network, "sex", "admitted", levels=("male", "female"), success="yes",
        mediators="department",
    )  # fmt: skip
    assert_allclose(found["total"], 557 / 1835 - 1192 / 2590)
    counts = data.counts.astype(float)
    rate = counts[..., 1] / counts.sum(axis=2)
    men = counts.sum(axis=2)[:, 0] / counts.sum(axis=2)[:, 0].sum()
    assert_allclose(found["natural_direct"], men @ (rate[:, 1] - rate[:, 0]))
    assert_allclose(list(found["controlled"].values()), rate[:, 1] - rate[:, 0])
    assert found["natural_direct"] > 0 > found["natural_indirect"]
    reverse = network_effects(
        data.network, "sex", "admitted", levels=("female", "male"), success="yes",
        mediators=["department"],
    )  # fmt: skip
    # Total = direct - indirect of the reverse change.
    assert_allclose(found["total"], found["natural_direct"] - reverse["natural_indirect"])
    with pytest.raises(ValueError, match="success must be one of"):
        network_effects(data.network, "sex", "admitted", levels=("male", "female"), success="q")


def test_the_true_graph_predicts_every_intervention():
    """causal.09: needless arrows do no harm, missing and turned ones are found"""
    stones = load_kidney_stones()
    edges = list(stones.edges)
    assert is_true_causal_graph(CausalGraph.from_edges(edges), stones.network)
    for i in range(len(edges)):
        turned = [(b, a) if j == i else (a, b) for j, (a, b) in enumerate(edges)]
        try:
            graph = CausalGraph.from_edges(turned)
        except ValueError:
            continue
        assert not is_true_causal_graph(graph, stones.network)
        less = CausalGraph(list(stones.nodes), edges[:i] + edges[i + 1 :])
        assert not is_true_causal_graph(less, stones.network)
    gene = load_smoking("gene")
    more = CausalGraph.from_edges([*gene.edges, ("smoking", "cancer")])
    assert is_true_causal_graph(more, gene.network)
    with pytest.raises(ValueError, match="without hidden causes"):
        is_true_causal_graph(CausalGraph.from_edges([("a", "b")]), gene.network)


def test_what_is_not_in_the_network_is_named():
    network = load_kidney_stones().network
    for arguments in (("q", "recovered"), ("treatment", "q")):
        with pytest.raises(ValueError, match=r"has_causal_effect: (treatment|outcome) must be of"):
            has_causal_effect(network, *arguments)
    asked = {"levels": ("A", "B"), "success": "yes"}
    for wrong, message in (
        ({"levels": ("A", "C")}, "levels must be of"),
        ({"mediators": "q"}, "mediators must be of the nodes"),
        ({"mediators": "treatment"}, "mediators must be apart from treatment"),
    ):
        with pytest.raises(ValueError, match=f"network_effects: {message}"):
            network_effects(network, "treatment", "recovered", **{**asked, **wrong})
    with pytest.raises(ValueError, match="network_effects: treatment must be of the nodes"):
        network_effects(network, "q", "recovered", **asked)
