from itertools import combinations

import numpy as np

from margin.graphs import DAG, d_separated
from margin.search import Oracle


def test_is_d_separation():
    rng = np.random.default_rng(0)
    for _ in range(5):
        dag = DAG.from_adjacency(np.triu(rng.random((6, 6)) < 0.4, 1).astype(int))
        oracle = Oracle(dag)
        for i, j in combinations(range(6), 2):
            others = [k for k in range(6) if k not in (i, j)]
            for size in range(4):
                for given in combinations(others, size):
                    expected = d_separated(dag, [i], [j], list(given))
                    assert (oracle(i, j, given).p_value == 1.0) == expected
