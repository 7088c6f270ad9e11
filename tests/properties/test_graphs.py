"""What holds for every graph."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from margin.graphs import (
    DAG,
    UndirectedGraph,
    cpdag,
    d_separated,
    equivalence_class,
    extend_pdag,
    find_isomorphism,
    is_triangulated,
    junction_tree,
    markov_blanket,
    markov_equivalent,
    moral_graph,
    skeleton,
    triangulate,
)


@st.composite
def dags(draw, largest=7):
    n = draw(st.integers(1, largest))
    order = draw(st.permutations(range(n)))
    pairs = list(combinations(order, 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return DAG(n, [pair for pair, taken in zip(pairs, chosen, strict=True) if taken])


@st.composite
def graphs(draw, largest=10):
    n = draw(st.integers(0, largest))
    pairs = list(combinations(range(n), 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return UndirectedGraph(n, [pair for pair, taken in zip(pairs, chosen, strict=True) if taken])


@settings(max_examples=60, deadline=None)
@given(dags(), st.data())
def test_d_separation_is_symmetric_and_the_methods_agree(dag, data):
    """graphs.10, graphs.11, graphs.12"""
    roles = data.draw(st.lists(st.sampled_from("XYZ-"), min_size=len(dag), max_size=len(dag)))
    X, Y, Z = ([v for v, role in enumerate(roles) if role == name] for name in "XYZ")
    if X and Y:
        answers = {
            d_separated(dag, *question, Z, method=method)
            for question in ((X, Y), (Y, X))
            for method in ("bayes-ball", "moral", "paths")
        }
        assert len(answers) == 1


@settings(max_examples=60, deadline=None)
@given(dags(5))
def test_the_class_of_a_dag_holds_it_and_its_extension(dag):
    """graphs.13, graphs.14"""
    graph = cpdag(dag)
    assert skeleton(graph) == skeleton(dag)
    assert markov_equivalent(extend_pdag(graph), dag)
    members = set(equivalence_class(dag))
    assert dag in members
    assert {cpdag(member) for member in members} == {graph}


@settings(max_examples=60, deadline=None)
@given(dags())
def test_membership_in_a_blanket_is_mutual(dag):
    """graphs.07"""
    for a, b in combinations(dag.nodes, 2):
        assert (a in markov_blanket(dag, b)) == (b in markov_blanket(dag, a))
        assert (a in markov_blanket(dag, b)) == moral_graph(dag).has_edge(a, b)


@settings(max_examples=60, deadline=None)
@given(graphs(), st.sampled_from(["min-fill", "weighted-min-fill", "min-weight", "best", "exact"]))
def test_every_triangulation_has_a_junction_tree(graph, heuristic):
    result = triangulate(graph, heuristic=heuristic)
    filled = UndirectedGraph(graph.nodes, graph.edges + result.fill)
    assert is_triangulated(filled)
    assert junction_tree(result.cliques).has_running_intersection()
    assert triangulate(filled).fill == ()


@settings(max_examples=60, deadline=None)
@given(graphs(8), st.randoms(use_true_random=False))
def test_renaming_gives_an_isomorphic_graph(graph, random):
    """graphs.18"""
    names = list(graph.nodes)
    random.shuffle(names)
    other = UndirectedGraph(len(graph), [(names[a], names[b]) for a, b in graph.edges])
    mapping = find_isomorphism(graph, other)
    assert {frozenset((mapping[a], mapping[b])) for a, b in graph.edges} == {
        frozenset(edge) for edge in other.edges
    }
