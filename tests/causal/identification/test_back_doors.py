"""causal.17: adjustment that is valid in every graph of a class, against all of its graphs."""

import random
from collections import defaultdict
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from margin.causal import (
    CausalGraph,
    adjustment_sets,
    forbidden_nodes,
    identify,
    is_adjustment_set,
    minimal_adjustment_set,
    optimal_adjustment_set,
)
from margin.graphs import (
    DAG,
    PAG,
    PDAG,
    MixedGraph,
    UndirectedGraph,
    cpdag,
    enumerate_cpdags,
    equivalence_class,
    maximal_ancestral_graph,
    orient,
    pag,
)

QUESTIONS = [([x], y) for x in range(4) for y in range(4) if x != y] + [([0, 1], 2), ([1, 3], 0)]


def subsets(nodes):
    nodes = list(nodes)
    return (s for size in range(len(nodes) + 1) for s in combinations(nodes, size))


def compare(graph, members, questions):
    """The criterion on the class against the criterion on each of its graphs."""
    n_valid = 0
    for x, y in questions:
        rest = [v for v in graph.nodes if v not in x and v != y]
        valid = []
        for Z in subsets(rest):
            truth = all(is_adjustment_set(member, x, y, Z) for member in members)
            assert is_adjustment_set(graph, x, y, Z) == truth
            valid += [set(Z)] if truth else []
        n_valid += len(valid)
        smallest = minimal_adjustment_set(graph, x, y)
        minimal = [s for s in valid if not any(other < s for other in valid)]
        assert (smallest is None and not valid) or set(smallest) in minimal
        assert [set(s) for s in adjustment_sets(graph, x, y)] == minimal
        best = optimal_adjustment_set(graph, x, y)
        assert best is None or set(best) in valid
    return n_valid


def as_graphs(dags):
    return [CausalGraph(dag.nodes, dag.edges) for dag in dags]


def test_cpdags_of_four_nodes():
    """causal.17."""
    rng = random.Random(0)
    classes = rng.sample(list(enumerate_cpdags(4)), 60)
    assert sum(compare(c, as_graphs(equivalence_class(c)), QUESTIONS) for c in classes) > 300


def test_background_knowledge_opens_effects():
    rng = random.Random(1)
    n_valid = 0
    for graph in rng.sample([c for c in enumerate_cpdags(4) if c.undirected], 40):
        arrow = rng.choice(graph.undirected)
        known = orient(graph, required=[arrow])
        n_valid += compare(known, as_graphs(equivalence_class(known)), QUESTIONS)
    assert n_valid > 200


@cache
def worlds(n):
    """Graphs with hidden causes, by the PAG that each belongs to."""
    pairs = list(combinations(range(n), 2))
    groups = defaultdict(list)
    for kinds in product(range(6), repeat=len(pairs)):
        chosen = list(zip(pairs, kinds, strict=True))
        arrows = [p for p, k in chosen if k in (1, 4)] + [p[::-1] for p, k in chosen if k in (2, 5)]
        hidden = [p for p, k in chosen if k >= 3]
        try:
            graph = CausalGraph(n, arrows, hidden)
        except ValueError:
            continue
        mag = maximal_ancestral_graph(MixedGraph(n, arrows, hidden))
        groups[mag].append(graph)
    classes = defaultdict(list)
    for mag, graphs in groups.items():
        classes[pag(mag)] += graphs
    return classes


def test_pags_of_three_nodes_and_all_their_worlds():
    questions = [([x], y) for x in range(3) for y in range(3) if x != y] + [([0, 1], 2)]
    assert sum(compare(graph, members, questions) for graph, members in worlds(3).items()) > 20


@pytest.mark.parametrize("seed", range(12))
def test_pags_of_five_nodes_with_a_visible_edge(seed):
    """Valid in the class: valid in the world that it was made from, and in its hidden versions."""
    rng = np.random.default_rng(seed)
    above = np.triu(rng.random((6, 6)) < 0.4, 1)
    dag = DAG(6, [(int(i), int(j)) for i, j in np.argwhere(above)])
    graph = pag(dag, latent=0)
    world = CausalGraph.from_edges(dag.edges, latent=[0]) if dag.edges else None
    world = CausalGraph(range(1, 6), world.directed, world.bidirected)
    for x, y in [(x, y) for x in range(1, 6) for y in range(1, 6) if x != y]:
        for Z in adjustment_sets(graph, x, y, minimal=False):
            assert is_adjustment_set(world, x, y, Z)


def test_the_optimal_set_is_that_of_every_member():
    dag = DAG([("a", "x"), ("b", "a"), ("b", "y"), ("c", "y"), ("x", "y"), ("d", "x")])
    graph = cpdag(dag)
    best = optimal_adjustment_set(graph, "x", "y")
    assert set(best) == {"b", "c"}
    for member in as_graphs(equivalence_class(graph)):
        assert set(optimal_adjustment_set(member, "x", "y")) == set(best)


def test_identify_answers_or_says_which_edge_is_in_the_way():
    learnt = PAG(["a o-> x", "z o-> x", "x --> y", "z --> y", "b o-> y"])
    estimand = identify(learnt, "x", "y")
    assert (estimand.kind, estimand.adjustment) == ("backdoor", ("z",))
    assert "Σ_{z} P(y | x, z) P(z)" in estimand.explain()
    chain = cpdag(DAG([("x", "m"), ("m", "y")]))
    none = identify(chain, "x", "y")
    assert (none.kind, none.obstacle, none.identifiable) == ("none", ("x", "m"), False)
    assert "the edge between x and m may, but need not, begin a causal path" in none.explain()
    assert identify(orient(chain, required=[("x", "m")]), "x", "y").adjustment == ()
    assert identify(PAG(["y o-> x", "z o-> x"]), "x", "y").formula() == "P(y)"
    hidden = identify(PAG(["x o-> y", "z o-> y"]), "x", "y")
    assert hidden.obstacle == ("x", "y")
    given = identify(learnt, "x", "y", adjustment=["z", "a"])
    assert set(given.adjustment) == {"z", "a"}
    dag = DAG([("z", "x"), ("z", "y"), ("x", "y")])
    assert identify(dag, "x", "y").adjustment == ("z",)
    assert forbidden_nodes(dag, "x", "y") == ("y",)


def test_estimand_of_a_class_is_evaluated():
    learnt = cpdag(DAG([("a", "x"), ("z", "x"), ("x", "y"), ("z", "y"), ("b", "y")]))
    rng = np.random.default_rng(0)
    z = rng.integers(2, size=4000)
    x = (rng.random(4000) < 0.2 + 0.6 * z).astype(int)
    y = (rng.random(4000) < 0.1 + 0.3 * x + 0.5 * z).astype(int)
    table = identify(learnt, "x", "y", adjustment="z").evaluate({"x": x, "y": y, "z": z})
    effect = table.values[1, 1] - table.values[0, 1]
    assert abs(effect - 0.3) < 0.05


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="graph must be a CausalGraph, DAG, PDAG, PAG"):
        is_adjustment_set(UndirectedGraph([("x", "y")]), "x", "y")
    with pytest.raises(ValueError, match="identify: graph must be a CausalGraph, DAG, PDAG, PAG"):
        identify(UndirectedGraph([("x", "y")]), "x", "y")
    with pytest.raises(ValueError, match="without edges --- and o--"):
        is_adjustment_set(PAG(["x --- y"]), "x", "y")
    with pytest.raises(ValueError, match="must be the PAG of an equivalence class"):
        identify(PAG(["x --> y", "y --> z", "z --> x"]), "x", "y")
    square = PDAG(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)])
    with pytest.raises(ValueError, match="a PDAG that some DAG extends"):
        is_adjustment_set(square, 0, 1)
    learnt = PAG(["a o-> x", "z o-> x", "x --> y", "z --> y", "b o-> y"])
    for settings in ({"given": "z"}, {"method": "frontdoor"}):
        with pytest.raises(ValueError, match="left out for a PDAG or PAG"):
            identify(learnt, "x", "y", **settings)
    with pytest.raises(ValueError, match="adjustment must be a set that closes all back doors"):
        identify(learnt, "x", "y", adjustment=())
    with pytest.raises(ValueError, match="node must be one of"):
        is_adjustment_set(learnt, "x", "w")
