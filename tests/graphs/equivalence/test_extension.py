from itertools import product

import pytest

from margin.graphs import DAG, PDAG, cpdag, extend_pdag, markov_equivalent, skeleton, v_structures


def extensions(graph):
    """Brute force: every way to direct the undirected edges."""
    for flips in product([False, True], repeat=len(graph.undirected)):
        arrows = [
            (b, a) if f else (a, b) for (a, b), f in zip(graph.undirected, flips, strict=True)
        ]
        try:
            dag = DAG(graph.nodes, [*graph.directed, *arrows])
        except ValueError:
            continue
        if v_structures(dag) == v_structures(graph):
            yield dag


def test_every_cpdag_extends_to_its_class(four_node_dags):
    """graphs.14"""
    for dag in four_node_dags:
        found = extend_pdag(cpdag(dag))
        assert markov_equivalent(found, dag)


@pytest.mark.parametrize("seed", range(40))
def test_an_extension_is_found_exactly_when_there_is_one(random_dag, random_graph, seed):
    """graphs.14: random mixtures of arrows and edges on five nodes."""
    base = random_graph(5, 0.6, seed)
    order = random_dag(5, 1.0, seed)
    arrows = [e for e in order.edges if base.has_edge(*e) and hash((e, seed)) % 3 == 0]
    plain = [e for e in base.edges if e not in arrows and e[::-1] not in arrows]
    graph = PDAG(5, arrows, plain)
    found = extend_pdag(graph)
    possible = list(extensions(graph))
    if found is None:
        assert possible == []
    else:
        assert found in possible
        assert set(graph.directed) <= set(found.edges)
        assert skeleton(found) == skeleton(graph)
