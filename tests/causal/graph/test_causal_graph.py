import pickle

import numpy as np
import pytest
from worlds import World, random_graph

from margin.causal import CausalGraph
from margin.graphs import DAG

NAPKIN = CausalGraph.from_edges([("w2", "w1"), ("w1", "x"), ("x", "y")], [("w2", "x"), ("w2", "y")])


def test_kin():
    """causal.09"""
    assert NAPKIN.parents("x") == ("w1",)
    assert NAPKIN.children("x") == ("y",)
    assert NAPKIN.spouses("w2") == ("x", "y")
    assert NAPKIN.ancestors("x") == ("w2", "w1")
    assert NAPKIN.descendants("w1") == ("x", "y")
    assert NAPKIN.districts() == (("w2", "x", "y"), ("w1",))
    assert NAPKIN.edges == NAPKIN.directed + NAPKIN.bidirected


def test_interventions_cut_what_comes_in():
    """causal.05"""
    cut = NAPKIN.do(["x"])
    assert cut.directed == (("w2", "w1"), ("x", "y"))
    assert cut.bidirected == (("w2", "y"),)
    assert NAPKIN.without_outgoing("w1").directed == (("w2", "w1"), ("x", "y"))
    assert NAPKIN.subgraph(["x", "y", "w2"]).bidirected == (("w2", "x"), ("w2", "y"))


def test_separation_is_independence_in_random_worlds():
    rng, seen = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(40):
        graph = random_graph(4, rng)
        table = World(graph, rng).joint()
        a, b, *others = rng.permutation(list(graph.nodes))
        given = others[: rng.integers(0, 3)]
        axes = {name: i for i, name in enumerate(graph.nodes)}
        away = tuple(axes[n] for n in graph.nodes if n not in (a, b, *given))
        part = table.sum(axis=away, keepdims=True)
        pa, pb = part.sum(axis=axes[b], keepdims=True), part.sum(axis=axes[a], keepdims=True)
        both = part.sum(axis=(axes[a], axes[b]), keepdims=True)
        independent = bool(np.abs(part * both - pa * pb).max() < 1e-12)
        assert graph.separated(a, b, given) == independent
        seen[independent] += 1
    assert min(seen.values()) > 5


def test_round_trips():
    assert CausalGraph.from_dagitty(NAPKIN.to_dagitty()) == NAPKIN
    assert CausalGraph.from_networkx(NAPKIN.to_networkx()) == NAPKIN
    assert pickle.loads(pickle.dumps(NAPKIN)) == NAPKIN
    assert "dir=both" in NAPKIN.to_dot()


def test_hidden_nodes_are_folded():
    graph = CausalGraph.from_edges(
        [("u", "x"), ("u", "y"), ("x", "v"), ("v", "y")], [("u", "z")], latent=["u", "v"]
    )
    assert set(graph.nodes) == {"x", "y", "z"}
    assert graph.directed == (("x", "y"),)
    assert {frozenset(pair) for pair in graph.bidirected} == {
        frozenset("xy"), frozenset("xz"), frozenset("yz"),
    }  # fmt: skip


def test_a_graph_with_hidden_causes_written_out():
    full = NAPKIN.with_hidden()
    assert isinstance(full, DAG)
    assert full.parents("y") == ("x", ("hidden", "w2", "y"))


@pytest.mark.parametrize("latent", [(), ("z",)])
def test_cycles_are_refused(latent):
    with pytest.raises(ValueError, match=r"CausalGraph: .*no directed cycle, got x -> y -> x"):
        CausalGraph.from_edges([("x", "y"), ("y", "x"), ("z", "x")], latent=latent)


def test_undirected_edges_are_refused():
    import networkx as nx

    with pytest.raises(ValueError, match="CausalGraph: edges must be directed or bidirected"):
        CausalGraph.from_networkx(nx.path_graph(3))
