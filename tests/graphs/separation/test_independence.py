from itertools import product

import numpy as np
import pytest

from margin.graphs import (
    DAG,
    PDAG,
    ChainGraph,
    Independence,
    MixedGraph,
    UndirectedGraph,
    d_separated,
    independences,
    separation_oracle,
    table_oracle,
)


def every_statement(graph, independent):
    """All assignments of the nodes to X, Y, given or nothing."""
    found = set()
    for places in product("XYZ-", repeat=len(graph)):
        X, Y, given = (
            tuple(n for n, place in zip(graph.nodes, places, strict=True) if place == which)
            for which in "XYZ"
        )
        if X and Y and independent(list(X), list(Y), list(given)):
            found.add(Independence(X, Y, given))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["dag", "undirected", "chain", "mixed"])
def test_all_independences_against_brute_force(random_dag, random_graph, kind, seed):
    """graphs.15"""
    dag = random_dag(5, 0.35, seed)
    graph = {
        "dag": dag,
        "undirected": random_graph(5, 0.4, seed),
        "chain": ChainGraph.from_dag(dag),
        "mixed": MixedGraph(5, dag.edges, random_graph(5, 0.2, seed).edges),
    }[kind]
    found = list(independences(graph))
    assert len(set(found)) == len(found)
    assert set(found) == every_statement(graph, separation_oracle(graph))


def test_pairs_are_those_of_single_nodes(four_node_dags):
    """graphs.15"""
    for dag in four_node_dags[::9]:
        full = {s for s in independences(dag) if len(s.X) == len(s.Y) == 1}
        assert set(independences(dag, pairs=True)) == full


def test_an_independent_pair_of_sets_is_all_its_pairs(random_dag):
    """graphs.15: composition and decomposition hold in a graph."""
    dag = random_dag(6, 0.3, 1)
    for s in independences(dag):
        assert all(d_separated(dag, x, y, list(s.given)) for x in s.X for y in s.Y)


def test_chain_has_one_statement():
    """graphs.15"""
    chain = DAG.from_edges([("a", "b"), ("b", "c")])
    assert set(independences(chain)) == {Independence(("c",), ("a",), ("b",))}
    assert list(independences(UndirectedGraph(2).complement())) == []


def test_statement_is_symmetric_and_prints():
    statement = Independence(("a", "b"), ("c",), ("d", "e"))
    assert str(statement) == "a, b ⊥ c | d, e"
    assert statement == Independence(("c",), ("b", "a"), ("e", "d"))
    assert hash(statement) == hash(Independence(("c",), ("b", "a"), ("e", "d")))
    assert statement != Independence(("a",), ("c",), ("d", "e"))
    assert statement != "a ⊥ b"


def test_too_many_nodes_are_refused():
    with pytest.raises(ValueError, match="at most 9 nodes, got 10"):
        next(independences(DAG(10)))
    assert next(independences(DAG(10), pairs=True)).given == ()
    with pytest.raises(TypeError, match="graph must imply independences, got PDAG"):
        separation_oracle(PDAG(2))


def test_table_oracle_on_known_tables(random_joint):
    """graphs.15"""
    assert table_oracle(np.ones((2, 3)))([0], [1], [])
    assert not table_oracle([[1.0, 0.0], [0.0, 1.0]])([0], [1], [])
    chain = DAG.from_edges([("a", "b"), ("b", "c")])
    independent = table_oracle(random_joint(chain, 0), chain.nodes)
    assert independent(["a"], ["c"], ["b"])
    assert not independent(["a"], ["c"], [])


@pytest.mark.parametrize("joint", [[[np.nan, 1.0]], [[-1.0, 2.0]], [[0.0, 0.0]]])
def test_bad_tables_are_refused(joint):
    with pytest.raises(ValueError, match="joint must be finite, not negative and not all zero"):
        table_oracle(joint)
    with pytest.raises(ValueError, match="nodes must name 2 axes, got 1"):
        table_oracle(np.ones((2, 2)), ["a"])
