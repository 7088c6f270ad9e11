import pytest

from margin.graphs import (
    DAG,
    PDAG,
    UndirectedGraph,
    cpdag,
    cpdag_from_colliders,
    independences,
    markov_equivalent,
    moral_graph,
    skeleton,
    v_structures,
)


def test_equivalence_is_equal_independences(four_node_dags):
    """graphs.13: 185 classes by I(G), by skeleton and v-structures, and by CPDAG."""
    by_statements, by_structure = {}, {}
    for dag in four_node_dags:
        key = frozenset((skeleton(dag), frozenset(v_structures(dag))))
        by_structure.setdefault(key, set()).add(dag)
        implied = frozenset(independences(dag, pairs=True))
        by_statements.setdefault(implied, set()).add(dag)
    assert len(by_statements) == len(by_structure) == 185
    assert set(map(frozenset, by_statements.values())) == set(map(frozenset, by_structure.values()))
    for members in by_statements.values():
        assert len({cpdag(dag) for dag in members}) == 1


def test_the_moral_graph_does_not_decide(four_node_dags):
    """graphs.13: skeleton and moral graph make only 161 groups."""
    groups = {(skeleton(dag), moral_graph(dag)) for dag in four_node_dags}
    assert len(groups) == 161
    first = DAG.from_edges([("d", "a"), ("a", "c"), ("d", "b"), ("b", "c")])
    second = DAG.from_edges([("c", "a"), ("a", "d"), ("c", "b"), ("b", "d")])
    assert skeleton(first) == skeleton(second)
    assert moral_graph(first) == moral_graph(second)
    assert not markov_equivalent(first, second)


def test_an_arrow_of_the_cpdag_is_common_to_the_class(four_node_dags):
    """graphs.14: brute force over the members of every class."""
    classes = {}
    for dag in four_node_dags:
        classes.setdefault(cpdag(dag), []).append(dag)
    assert len(classes) == 185
    for graph, members in classes.items():
        common = set.intersection(*(set(dag.edges) for dag in members))
        assert set(graph.directed) == common
        assert len(graph.edges) == len(members[0].edges)


@pytest.mark.parametrize("seed", range(8))
def test_only_covered_edges_may_be_turned(random_dag, seed):
    """graphs.13, graphs.14: turning a -> b keeps the class if b has a's parents besides a."""
    dag = random_dag(12, 0.3, seed)
    graph = cpdag(dag)
    for a, b in dag.edges:
        covered = set(dag.parents(b)) == {a, *dag.parents(a)}
        turned = [(y, x) if (x, y) == (a, b) else (x, y) for x, y in dag.edges]
        try:
            other = DAG(12, turned)
        except ValueError:  # a cycle
            assert not covered
            continue
        assert (cpdag(other) == graph) == covered == markov_equivalent(dag, other)


def test_elementary_cases():
    """graphs.13: chain, chain and fork together, the collider alone."""
    chain, back = DAG.from_edges(["ab", "bc"]), DAG.from_edges(["cb", "ba"])
    fork, collider = DAG.from_edges(["ba", "bc"]), DAG.from_edges(["ab", "cb"])
    assert markov_equivalent(chain, back)
    assert markov_equivalent(chain, fork)
    assert not markov_equivalent(chain, collider)
    assert v_structures(collider) == (("a", "b", "c"),)
    assert v_structures(fork) == ()
    shielded = DAG.from_edges(["ab", "cb", "ac"])
    assert v_structures(shielded) == ()
    assert v_structures(PDAG.from_dag(collider)) == (("a", "b", "c"),)
    assert skeleton(cpdag(chain)) == skeleton(chain)


def test_contradictory_colliders_are_none():
    """graphs.14"""
    chain = UndirectedGraph.from_edges(["ab", "bc", "cd"])
    assert cpdag_from_colliders(chain, [("a", "b", "c"), ("b", "c", "d")]) is None
    with pytest.raises(ValueError, match="colliders must follow edges"):
        cpdag_from_colliders(chain, [("a", "b", "d")])
