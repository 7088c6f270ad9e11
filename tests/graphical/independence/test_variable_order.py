"""Pearl's construction and the best order (graphical.03, graphical.04)."""

from itertools import permutations

import numpy as np
import pytest

from margin.graphical import best_order, pearl_construction
from margin.graphs import DAG, is_imap, separation_oracle


def random_dag(seed, n=5):
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in rng.permutation(n)]
    edges = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if rng.random() < 0.4]
    return DAG(names, edges)


@pytest.mark.parametrize("seed", range(5))
def test_causal_order_returns_the_truth(seed):
    """graphical.04: other orders give valid I-maps with at least as many edges."""
    truth = random_dag(seed)
    oracle = separation_oracle(truth)
    assert pearl_construction(truth.nodes, oracle) == truth
    for order in list(permutations(truth.nodes))[::37]:
        found = pearl_construction(order, oracle)
        assert is_imap(found, oracle)
        assert len(found.edges) >= len(truth.edges)


@pytest.mark.parametrize("seed", range(4))
def test_best_order_against_all_orders(seed):
    """graphical.03"""
    truth = random_dag(seed)
    oracle = separation_oracle(truth)
    fewest = min(len(pearl_construction(o, oracle).edges) for o in permutations(truth.nodes))
    order, graph = best_order(sorted(truth.nodes), oracle)
    assert len(graph.edges) == fewest == len(truth.edges)
    assert graph == pearl_construction(order, oracle)


def test_many_variables_are_refused():
    with pytest.raises(ValueError, match="at most 14 variables, got 15"):
        best_order(range(15), lambda x, y, z: True)
