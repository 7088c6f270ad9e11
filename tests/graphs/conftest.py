from itertools import combinations

import numpy as np
import pytest

from margin.graphs import DAG, UndirectedGraph, enumerate_dags


@pytest.fixture(scope="session")
def four_node_dags():
    """All 543 of them."""
    return list(enumerate_dags(["a", "b", "c", "d"]))


@pytest.fixture(scope="session")
def random_dag():
    """DAG whose topological order is a random permutation of its nodes."""

    def make(n, density, seed):
        rng = np.random.default_rng(seed)
        order = rng.permutation(n).tolist()
        pairs = combinations(order, 2)
        return DAG(n, [pair for pair in pairs if rng.random() < density])

    return make


@pytest.fixture(scope="session")
def random_graph():
    def make(n, density, seed):
        rng = np.random.default_rng(seed)
        return UndirectedGraph(n, [p for p in combinations(range(n), 2) if rng.random() < density])

    return make


@pytest.fixture(scope="session")
def random_joint():
    """Joint table of binary variables with random conditional tables, one axis per node."""

    def make(dag, seed):
        rng = np.random.default_rng(seed)
        n = len(dag)
        joint = np.ones((2,) * n)
        for node in dag.nodes:
            family = sorted(dag.index(member) for member in dag.family(node))
            table = rng.uniform(0.1, 0.9, (2,) * len(family))
            axis = family.index(dag.index(node))
            table /= table.sum(axis, keepdims=True)
            shape = [2 if i in family else 1 for i in range(n)]
            joint = joint * table.reshape(shape)
        return joint

    return make
