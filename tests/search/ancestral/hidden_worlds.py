"""Worlds with hidden common causes."""

import numpy as np

from margin.graphs import DAG, MixedGraph

# No set of neighbours separates two of these nodes that a larger set does.
BEYOND = MixedGraph(
    9,
    [(4, 2), (4, 6), (4, 5), (6, 1), (5, 0), (5, 7), (0, 3)],
    [(1, 5), (1, 7), (1, 8), (2, 4), (3, 6), (4, 6)],
)


def random_dag(seed, n, density):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    above = np.triu(rng.random((n, n)) < density, 1)
    return DAG(n, [(int(order[i]), int(order[j])) for i, j in np.argwhere(above)])


def hidden_gaussian(n, p, seed):
    """Rows of a linear Gaussian world of which four columns are not seen."""
    rng = np.random.default_rng(seed)
    q = p + 4
    weight = np.triu(rng.random((q, q)) < 2.5 / q, 1) * rng.uniform(0.5, 1.0, (q, q))
    X = np.zeros((n, q))
    for j in range(q):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    return X[:, rng.permutation(q)[:p]]
