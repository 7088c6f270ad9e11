from itertools import combinations, permutations

import numpy as np
import pytest

from margin.graphs import DAG, MixedGraph, d_separated, separated


def random_mixed(n, seed, *, undirected):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n).tolist()
    kinds = {"directed": [], "bidirected": [], "undirected": []}
    for pair in combinations(order, 2):
        u = rng.random()
        if u < (0.2 if undirected else 0.25):
            kinds["directed"].append(pair)
        if 0.18 < u < (0.25 if undirected else 0.4):  # sometimes beside an arrow
            kinds["bidirected"].append(pair)
    graph = MixedGraph(n, **kinds)
    if undirected:  # between nodes that no arrowhead points at
        free = [v for v in range(n) if not graph.parents(v) and not graph.spouses(v)]
        kinds["undirected"] = list(combinations(free, 2))[: int(rng.integers(1, 4))]
    return MixedGraph(n, **kinds)


def by_definition(graph, x, y, given):
    """Every path, with every choice among parallel edges."""
    marks = {}  # (a, b) -> pairs (arrowhead at a, arrowhead at b)
    for a, b, kind in graph.links():
        here = {"directed": (False, True), "bidirected": (True, True), "undirected": (False, False)}
        at_a, at_b = here[kind]
        marks.setdefault((a, b), []).append((at_a, at_b))
        marks.setdefault((b, a), []).append((at_b, at_a))
    opened = set(given) | set(graph.ancestors(list(given)))

    def open_from(path, arrived):
        if path[-1] == y:
            return True
        node = path[-1]
        for after in graph.nodes:
            for here, there in marks.get((node, after), []):
                if after in path:
                    continue
                if len(path) > 1:
                    collider = arrived and here
                    if node not in opened if collider else node in given:
                        continue
                if open_from([*path, after], there):
                    return True
        return False

    return not open_from([x], False)


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_m_separation_against_every_path(seed, undirected):
    """graphs.04"""
    graph = random_mixed(6, seed, undirected=undirected)
    for x, y in combinations(range(6), 2):
        rest = [node for node in range(6) if node not in (x, y)]
        for given in ([], rest[:1], rest[1:3], rest[2:], rest):
            assert graph.m_separated(x, y, given) == by_definition(graph, x, y, given)


@pytest.mark.parametrize("seed", range(8))
def test_a_hidden_common_cause_says_the_same(seed):
    """graphs.04: m-separation is d-separation once the auxiliary variables are drawn."""
    graph = random_mixed(6, seed, undirected=False)
    dag = graph.with_hidden()
    assert len(dag) == 6 + len(graph.bidirected)
    for x, y in combinations(range(6), 2):
        rest = [node for node in range(6) if node not in (x, y)]
        for given in ([], rest[:2], rest[2:]):
            assert graph.m_separated(x, y, given) == d_separated(dag, x, y, given)


def test_limits_are_the_other_graphs(random_dag, random_graph):
    """graphs.04: arrows only, undirected edges only."""
    dag, plain = random_dag(6, 0.4, 0), random_graph(6, 0.3, 0)
    for x, y in permutations(range(6), 2):
        given = [node for node in range(6) if node not in (x, y)][:2]
        assert MixedGraph(6, dag.edges).m_separated(x, y, given) == d_separated(dag, x, y, given)
        same = MixedGraph(6, undirected=plain.edges).m_separated(x, y, given)
        assert same == separated(plain, x, y, given)


def test_relatives():
    graph = MixedGraph(
        list("abcd"), [("a", "b"), ("b", "c")], [("a", "c"), ("b", "a")], [("a", "d")]
    )
    assert graph.parents("b") == ("a",)
    assert graph.children("b") == ("c",)
    assert graph.spouses("a") == ("b", "c")
    assert graph.neighbours("a") == ("d",)
    assert graph.ancestors("c") == ("a", "b")
    assert graph.descendants("a") == ("b", "c")
    assert graph.districts() == (("a", "b", "c"), ("d",))
    assert len(graph.edges) == 5
    with pytest.raises(ValueError, match="undirected must be empty for a DAG"):
        graph.with_hidden()
    assert isinstance(MixedGraph(2, bidirected=[(0, 1)]).with_hidden(), DAG)


@pytest.mark.parametrize("seed", range(10))
def test_paths_lead_down_and_causes_come_first_by_generation(seed):
    graph = random_mixed(7, seed, undirected=seed % 2 == 0)
    order = graph.topological_order()
    depth = {}
    for node in order:
        depth[node] = 1 + max((depth[parent] for parent in graph.parents(node)), default=0)
    assert list(order) == sorted(graph.nodes, key=lambda node: (depth[node], node))
    for a, b in permutations(graph.nodes, 2):
        assert graph.leads(a, b) == (b in graph.descendants(a))
    assert not graph.leads([0, 1], [1, 0])
    assert not graph.leads(0, ())


@pytest.mark.parametrize("way", ["sorted", "shuffled", "turned", "twice"])
def test_edges_without_a_direction_are_listed_in_order_however_they_come(way):
    pairs = [("a", "b"), ("a", "d"), ("b", "c"), ("c", "d")]
    given = {
        "sorted": pairs,
        "shuffled": [pairs[i] for i in (2, 0, 3, 1)],
        "turned": [pair[::-1] for pair in pairs],
        "twice": pairs + pairs[1:2] + [pairs[0][::-1]],
    }[way]
    assert MixedGraph([*"abcd"], bidirected=given).bidirected == tuple(pairs)
    assert MixedGraph([*"abcd"], undirected=given).undirected == tuple(pairs)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="MixedGraph: directed must form no directed cycle, got 0"):
        MixedGraph(2, [(0, 1), (1, 0)])
    with pytest.raises(ValueError, match="undirected must be the only edge of its pair, got 0"):
        MixedGraph(2, [(0, 1)], undirected=[(0, 1)])
    with pytest.raises(
        ValueError, match="undirected must be away from arrowheads to be read, got 1"
    ):
        MixedGraph(3, [(0, 1)], undirected=[(1, 2)]).m_separated(0, 2)
    with pytest.raises(ValueError, match="must be disjoint"):
        MixedGraph(2).m_separated(0, 0)
