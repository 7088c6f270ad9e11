import numpy as np
import pytest
from worlds import random_graph

from margin.causal import CausalGraph
from margin.causal.identification._rows import Rows


def shuffled(graph, rng):
    names = list(graph.nodes)
    rng.shuffle(names)
    return CausalGraph(names, graph.directed, graph.bidirected)


@pytest.mark.parametrize("seed", range(20))
def test_rows_say_what_the_graph_says(seed):
    rng = np.random.default_rng(seed)
    graph = shuffled(random_graph(int(rng.integers(1, 9)), rng), rng)
    rows = Rows.of(graph)
    assert tuple(rows.bit) == graph.topological_order()
    whole = rows.bits(graph.nodes)
    for i, node in enumerate(rows.bit):
        assert set(rows.named(rows.parents[i])) == set(graph.parents(node))
        assert set(rows.named(rows.spouses[i])) == set(graph.spouses(node))
        assert rows.parents[i] < rows.bit[node]
    assert {frozenset(rows.named(d)) for d in rows.districts(whole)} == set(
        map(frozenset, graph.districts())
    )
    some = [node for node in graph.nodes if rng.random() < 0.6]
    inside = rows.bits(some)
    for node in some:
        within = graph.subgraph(some)
        above = rows.ancestors(rows.bits([node]), inside)
        assert set(rows.named(above)) == {node, *within.ancestors(node)}
        part = next(d for d in within.districts() if node in d)
        assert set(rows.named(rows.district(rows.bits([node]), inside))) == set(part)


@pytest.mark.parametrize("seed", range(10))
def test_what_is_set_has_no_cause(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(6, rng)
    treated = [node for node in graph.nodes if rng.random() < 0.4]
    rows = Rows.of(graph)
    cut, mutilated = rows.do(rows.bits(treated)), graph.do(treated)
    for i, node in enumerate(rows.bit):
        assert set(cut.named(cut.parents[i])) == set(mutilated.parents(node))
        assert set(cut.named(cut.spouses[i])) == set(mutilated.spouses(node))
    assert rows.do(0) is rows
