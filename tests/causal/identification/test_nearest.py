from itertools import combinations

import numpy as np

from margin.causal.identification._nearest import nearest_separator
from margin.graphs import DAG, d_separated


def random_dag(n, rng):
    return DAG(n, [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.4])


def test_it_separates_whenever_anything_does_and_blocks_no_more_than_it_must():
    rng, found = np.random.default_rng(0), 0
    for _ in range(200):
        dag = random_dag(6, rng)
        near, far, *rest = rng.permutation(6).tolist()
        usable = [node for node in rest if rng.random() < 0.8]
        subsets = [c for n in range(len(usable) + 1) for c in combinations(usable, n)]
        above = set(dag.ancestors([near, far]))
        valid = [c for c in subsets if d_separated(dag, near, far, c)]
        answer = nearest_separator(dag, [near], far, usable)
        assert (answer is None) == (not valid)
        if answer is None:
            continue
        found += 1
        assert answer in [tuple(n for n in dag.nodes if n in c) for c in valid]
        for node in set(rest) - set(answer):
            opened = any(
                not d_separated(dag, far, node, c) for c in valid
                if node not in c and set(c) <= above
            )  # fmt: skip
            if opened and node not in above | {near, far}:
                assert not d_separated(dag, far, node, answer)
    assert found > 60
