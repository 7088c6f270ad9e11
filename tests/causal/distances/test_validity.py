"""Sets that are wrong to adjust for, against the criterion on every pair."""

from itertools import chain, combinations

import numpy as np
import pytest

from margin.causal import CausalGraph, is_adjustment_set
from margin.causal.distances._validity import invalid_outcomes, walk_unblocked
from margin.graphs import DAG, enumerate_dags


def sets_of(nodes):
    return chain.from_iterable(combinations(nodes, k) for k in range(len(nodes) + 1))


def check_all(dag):
    graph = CausalGraph(dag.nodes, dag.edges)
    for t in dag.nodes:
        for Z in sets_of([n for n in dag.nodes if n != t]):
            wrong = invalid_outcomes(dag._parents, dag._children, t, sum(1 << z for z in Z))
            for y in dag.nodes:
                if y == t or y in Z:
                    assert not wrong >> y & 1
                else:
                    assert (wrong >> y & 1) != is_adjustment_set(graph, t, y, list(Z))


@pytest.mark.parametrize("part", range(4))
def test_all_sets_in_all_graphs_of_four_nodes(part):
    for dag in list(enumerate_dags(4))[part::12]:
        check_all(dag)


def test_sets_in_random_graphs_of_six_nodes():
    rng = np.random.default_rng(0)
    for _ in range(4):
        check_all(DAG.from_adjacency(np.triu(rng.random((6, 6)) < 0.4, 1)))


def test_a_walk_ends_where_it_is_blocked():
    steps = (0b0110, 0b1000, 0b1000, 0)
    assert walk_unblocked(0b0001, steps, 0b0010) == 0b1111
    assert walk_unblocked(0b0001, steps, 0b0110) == 0b0111
    assert walk_unblocked(0, steps, 0) == 0
